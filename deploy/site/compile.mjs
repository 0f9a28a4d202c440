// Packages with bytecode in place of source: node compile.mjs PYODIDE, then lines "FROM TAB TO TAB FOLDER" on its input.
// The browser's own Python compiles each, here, once: there it would do so at each opening, for half of the waiting.
// FOLDER is where the files of a package will lie, for tracebacks. Those of a zip, Python's own library, do without docstrings.
import fs from "node:fs";
import path from "node:path";

const {loadPyodide} = await import(path.resolve(process.argv[2], "pyodide.mjs"));
const python = await loadPyodide({indexURL: path.resolve(process.argv[2]) + "/"});
python.runPython(fs.readFileSync(path.join(import.meta.dirname, "bytecode.py"), "utf8"));
const compiled = python.globals.get("compiled");
for (const line of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const [from, to, folder] = line.split("\t");
  fs.writeFileSync(to, compiled(new Uint8Array(fs.readFileSync(from)), folder, folder.endsWith(".zip") ? 2 : 0).toJs());
}
