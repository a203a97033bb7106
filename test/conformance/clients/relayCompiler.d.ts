declare module "relay-compiler" {
  /** Where the binary for this machine is. */
  const path: string;
  export = path;
}
