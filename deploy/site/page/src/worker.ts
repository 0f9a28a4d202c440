// Python in a worker: the reader's cells and the course's own judge. It loads, then it reaches nothing.
import { bytes, FILES, type Answer, type Files, type FromWorker, type Question, type Settings } from "./messages";

interface Pyodide {
  loadPackage(names: string[], options: object): Promise<unknown>;
  setInterruptBuffer(buffer: object): void;
  pyimport(name: string): Judge;
}

/** page_runtime.py */
interface Judge {
  warm_up(): void;
  ask(question: string): string;
}

// What a page could reach another address with. Its policy forbids other hosts; this, its own as well.
const REACHES = [
  ..."fetch XMLHttpRequest WebSocket EventSource WebTransport BroadcastChannel".split(" "),
  ..."indexedDB caches Worker SharedWorker importScripts navigator".split(" "),
];
const SIGINT = 2;

const tell = (message: FromWorker): void => self.postMessage(message);
let deadline = Infinity;

interface Lock {
  packages: Record<string, { file_name: string; sha256: string }>;
}

/**
 * Load all packages at once, while the core loads, and count the bytes that come, for the bar.
 *
 * Pyodide asks for a package when the core runs: then it is given what has come.
 */
function loadEarly(files: Files, lock: Lock, { scipy, folder }: Settings): void {
  const sizes = files.sizes[scipy];
  const total = bytes(files, scipy);
  const plain = self.fetch.bind(self);
  const early = new Map<string, Promise<ArrayBuffer>>();
  let came = 0;
  const add = (sent: number) => {
    came += sent;
    const words = `Loading Python, once: ${(came / 1e6).toFixed(1)} of ${(total / 1e6).toFixed(1)} MB`;
    tell({ kind: "progress", words, share: came / total });
  };
  const counted = (name: string, answer: Response): Response => {
    const size = sizes[name];
    if (!size || !answer.ok || !answer.body) return answer;
    if (name.endsWith(".wasm")) {
      add(size.sent); // a browser keeps what it has compiled only of an answer that nobody has touched
      return answer;
    }
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, next) {
        add((chunk.length * size.sent) / size.whole);
        next.enqueue(chunk);
      },
    });
    return new Response(answer.body.pipeThrough(count), answer);
  };
  for (const { file_name: name, sha256 } of Object.values(lock.packages)) {
    if (!sizes[name]) continue;
    const asked = plain(new URL(name, folder), { integrity: `sha256-${base64(sha256)}` });
    early.set(name, asked.then((answer) => counted(name, answer).arrayBuffer()));
    early.get(name)?.catch(() => undefined); // Pyodide says what is wrong with it
  }
  self.fetch = async (what, how) => {
    const name = new URL(what instanceof Request ? what.url : what).pathname.split("/").pop() ?? "";
    const loaded = early.get(name);
    return loaded ? new Response(await loaded) : counted(name, await plain(what, how));
  };
}

const base64 = (hex: string): string =>
  btoa(String.fromCharCode(...(hex.match(/../g) ?? []).map((pair) => parseInt(pair, 16))));

async function started(settings: Settings): Promise<Judge> {
  const { scipy, folder } = settings;
  const files: Files = await (await fetch(new URL(FILES, folder))).json();
  const lockFileURL = new URL(files.lock, folder).href;
  loadEarly(files, await (await fetch(lockFileURL)).json(), settings);
  const { loadPyodide } = await import(new URL("pyodide.mjs", folder).href);
  const python: Pyodide = await loadPyodide({
    indexURL: folder,
    lockFileURL,
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
  closeDoors();
  return judge;
}

/** Take away what asks another address, also where the worker's own prototypes have it. */
function closeDoors(): void {
  const closed = { value: undefined, configurable: false, writable: false };
  for (let at: object | null = self; at; at = Object.getPrototypeOf(at)) {
    for (const name of REACHES) {
      if (at !== self && !Object.hasOwn(at, name)) continue;
      try {
        Object.defineProperty(at, name, closed);
      } catch {
        // a browser may hold one fast: its policy still lets it reach no other host
      }
    }
  }
}

function asked(judge: Judge, question: Question): Answer {
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
