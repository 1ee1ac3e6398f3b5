// Copies the kept libraries, as package-lock.json pins them, into vendor/: the page runs without a build, and offline.
// With --check it only says which files differ.
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const files = [
  "lit-html/LICENSE", "lit-html/lit-html.js", "lit-html/directive.js", "lit-html/directive-helpers.js",
  "lit-html/directives/repeat.js",
  "uqr/LICENSE", "uqr/dist/index.mjs",
];
const source = (name) => join(here, "node_modules", name);
const read = (path) => { try { return readFileSync(path, "utf8"); } catch { return null; } };
const stale = files.filter((name) => read(source(name)) !== read(join(here, "vendor", name)));

if (process.argv.includes("--check")) {
  if (stale.length) console.error(`stale in web/vendor, run 'npm run vendor' in web/: ${stale.join(", ")}`);
  process.exitCode = stale.length ? 1 : 0;
} else {
  for (const name of stale) {
    mkdirSync(dirname(join(here, "vendor", name)), { recursive: true });
    cpSync(source(name), join(here, "vendor", name));
  }
  console.log(`${stale.length} of ${files.length} files copied`);
}
