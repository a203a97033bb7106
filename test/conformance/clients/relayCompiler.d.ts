declare module "relay-compiler" {
  /** Path of the binary for this platform. */
  const path: string;
  export = path;
}
