import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultClientConditions, defineConfig } from "vite";

/** Libraries that every page needs, with the modules that load them one after another. */
const REACT = /node_modules\/(?:react|react-dom|scheduler)\/|desk\/src\/state\/(?:firstPicture|react|task)\./;
const LIBRARIES = /node_modules\/(?:@urql|urql|wonka)\/|desk\/src\/state\/libraries\./;
/**
 * The desk's own modules that every page needs from its start, the global styles first. The styles that the page for trading begins
 * with are among them: in files of their own they compress worse.
 */
const EVERYWHERE =
  /desk\/src\/(?:format|graph|live|state|styles)\/(?!namedLayouts|notices)|desk\/src\/ui\/(?!clip|listPanel|together|virtualRows)|desk\/src\/panels\/(?:positionColumns|chart\/(?!curve|dragging|pointDialog)\w+|trade\/(?!depth)\w+)\.module\.css|desk\/src\/shell\/(?!keySheet|layoutSettings|reporting|settingsDialog)|desk\/src\/panels\/(?:cancel|columns|market)\.|desk\/src\/text\/text|packages\/client\/src/;

/** Files with what is drawn on the page for trading. */
const DRAWN_FIRST: ReadonlySet<string> = new Set(["charting", "chart", "trade", "desk"]);

/** Builds the desk: its files are named by a hash of their content and served under /desk/, the page itself at /. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/desk/",
  // Packages of this repository are read from their sources.
  resolve: { conditions: [...defaultClientConditions, "@exchange-graph/source"] },
  // Words compress better than hashes. A test keeps the names of the modules' files different.
  css: { modules: { generateScopedName: (name, path) => `${basename(path, ".module.css")}-${name}` } },
  oxc: { jsx: { runtime: "automatic", importSource: "react" } },
  build: {
    outDir: fileURLToPath(new URL("dist", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    // The page's content security policy allows no `data:` addresses.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Few files for what every page needs: many small ones compress worse, and a browser takes in each in one task.
      output: {
        // V8 compiles all functions of these on the thread that reads the file, and none when the page first calls it.
        postBanner: ({ name }) => (DRAWN_FIRST.has(name) ? "//# allFunctionsCalledOnLoad" : ""),
        codeSplitting: {
          groups: [
            { name: "react", test: REACT, priority: 2 },
            { name: "libraries", test: LIBRARIES, priority: 1 },
            { name: "desk", test: EVERYWHERE },
          ],
        },
      },
      // Some dependencies mark their modules as made for a browser, which is where they go.
      onwarn: (warning, warn) => (warning.code === "MODULE_LEVEL_DIRECTIVE" ? undefined : warn(warning)),
    },
  },
});
