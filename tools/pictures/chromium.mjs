// Unpacks the Chromium of @sparticuz/chromium, with the libraries a bare machine lacks, into a folder, and prints its path.
// For machines without a browser: it comes from npm, needs no rights, and runs headless on x86-64 Linux.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";

const folder = process.argv[2];
const packed = join(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "../../bin");
const program = join(folder, "chromium");
const unpacked = (name) => brotliDecompressSync(readFileSync(join(packed, name)));

if (!existsSync(program)) {
  mkdirSync(folder, { recursive: true });
  for (const name of ["al2023.tar.br", "fonts.tar.br"]) execFileSync("tar", ["-x", "-C", folder], { input: unpacked(name) });
  // The package's own configuration looks for its fonts elsewhere; without any the browser ends itself.
  writeFileSync(join(folder, "fonts.conf"), `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>`);
  const made = `${program}.${process.pid}`;
  writeFileSync(made, unpacked("chromium.br"));
  chmodSync(made, 0o755);
  renameSync(made, program); // whole or not there, however many tests begin at once
}
console.log(program);
