/** Maximum length of the changes that are not released yet, in bytes: what is longer is not read. */
export const MAX_UNRELEASED = 10_240;

const UNRELEASED = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m;

/** The text under the heading *Unreleased*; throws if there is none. */
export function unreleased(text) {
  const found = UNRELEASED.exec(text);
  if (found === null) throw new Error("CHANGELOG.md has no section Unreleased");
  return found[1].trim();
}

/** The changelog with the unreleased changes under a version and its date; unchanged if the version has a section. */
export function dated(text, version, date) {
  if (text.includes(`\n## ${version} - `)) return text;
  const changes = unreleased(text);
  if (changes === "") throw new Error("CHANGELOG.md has no unreleased changes");
  return text.replace(UNRELEASED, () => `## Unreleased\n\n## ${version} - ${date}\n\n${changes}\n\n`);
}
