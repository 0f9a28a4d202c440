// Python in a worker: the reader's cells and the course's own judge. It loads, then it reaches nothing.
import { bytes, FILES, type Answer, type Files, type FromWorker, type Question, type Scipy, type Settings } from "./messages";

interface Pyodide {
  loadPackage(names: string[], options: object): Promise<unknown>;
  setInterruptBuffer(buffer: object): void;
  pyimport(name: string): { warm_up(): void; ask(question: string): string };
}

// What a page could reach another address with. Its policy forbids other hosts; this, its own as well.
const REACHES = [
  ..."fetch XMLHttpRequest WebSocket EventSource WebTransport BroadcastChannel".split(" "),
  ..."indexedDB caches Worker SharedWorker importScripts navigator".split(" "),
];
const SIGINT = 2;

const tell = (message: FromWorker): void => self.postMessage(message);
let deadline = Infinity;

/** Count the bytes that come, for the bar. */
function countBytes(files: Files, scipy: Scipy): void {
  const sizes = files.sizes[scipy];
  const total = bytes(files, scipy);
  const seen = new Set<string>();
  const plain = self.fetch;
  let came = 0;
  self.fetch = async (...what) => {
    const answer = await plain(...what);
    const name = new URL(answer.url).pathname.split("/").pop() ?? "";
    if (answer.ok && !seen.has(name)) came += sizes[name] ?? 0;
    seen.add(name);
    const words = `Loading Python, once: ${(came / 1e6).toFixed(1)} of ${(total / 1e6).toFixed(1)} MB`;
    tell({ kind: "progress", words, share: came / total });
    return answer;
  };
}

async function started({ scipy, folder }: Settings): Promise<ReturnType<Pyodide["pyimport"]>> {
  const files: Files = await (await fetch(new URL(FILES, folder))).json();
  countBytes(files, scipy);
  // All at once: Pyodide would ask for the packages when the core runs.
  for (const name of Object.keys(files.sizes[scipy])) if (name.endsWith(".whl")) void fetch(new URL(name, folder));
  const { loadPyodide } = await import(new URL("pyodide.mjs", folder).href);
  const python: Pyodide = await loadPyodide({
    indexURL: folder,
    lockFileURL: new URL(files.lock, folder).href,
    env: { HOME: "/home/pyodide", OPENBLAS_NUM_THREADS: "1" },
  });
  await python.loadPackage(files.packages[scipy], { messageCallback() {}, checkIntegrity: true });
  // Every so many operations Python asks element 0 of this whether it is to stop. A look at the clock
  // can answer, so no memory has to be shared, for which many hosts lack the headers.
  python.setInterruptBuffer({
    get 0() {
      if (performance.now() <= deadline) return 0;
      deadline = Infinity;
      return SIGINT;
    },
    set 0(_) {},
  });
  tell({ kind: "progress", words: "Starting Python", share: 1 });
  const judge = python.pyimport("page_runtime");
  judge.warm_up();
  for (const name of REACHES) {
    try {
      Object.defineProperty(self, name, { value: undefined, configurable: false, writable: false });
    } catch {
      // not in this browser
    }
  }
  return judge;
}

function asked(judge: ReturnType<Pyodide["pyimport"]>, question: Question): Answer {
  deadline = performance.now() + question.longest;
  try {
    return JSON.parse(judge.ask(JSON.stringify(question)));
  } catch (error) {
    return { kind: "failed", text: String(error), shown: [] };
  } finally {
    deadline = Infinity;
  }
}

self.onmessage = async ({ data }: MessageEvent<Settings>) => {
  const began = performance.now();
  try {
    const judge = await started(data);
    self.onmessage = (event: MessageEvent<Question>) =>
      tell({ kind: "answer", number: event.data.number, answer: asked(judge, event.data) });
    tell({ kind: "ready", seconds: (performance.now() - began) / 1000 });
  } catch (error) {
    tell({ kind: "broken", words: `Python cannot be loaded: ${String(error)}` });
  }
};
tell({ kind: "loaded" });
