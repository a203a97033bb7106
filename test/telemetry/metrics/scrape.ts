/** Every series of `/metrics` as `name{labels}`, with its value as text. */
export async function scrape(url: string): Promise<ReadonlyMap<string, string>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return new Map(
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => {
        const end = line.lastIndexOf(" ");
        return [line.slice(0, end), line.slice(end + 1)];
      }),
  );
}
