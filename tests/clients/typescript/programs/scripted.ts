/** A server that does what a test tells it, request by request, and keeps what it was asked. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  readonly at: number;
}

export type Step = (response: ServerResponse, request: IncomingMessage) => void;

export interface Scripted {
  readonly url: string;
  readonly asked: Asked[];
}

/** Starts a server that answers with one step after the other; the last one answers all that follows. */
export async function scripted(t: TestContext, ...steps: [Step, ...Step[]]): Promise<Scripted> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const step = steps[Math.min(asked.length, steps.length - 1)]!;
    const { method = "", headers } = request;
    const at = performance.now();
    const entry = { method, headers, at, url: new URL(request.url ?? "", "http://host"), body: "" };
    asked.push(entry);
    entry.body = await text(request).catch(() => ""); // whoever asks may have given up
    step(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** Answers with JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Step {
  return (response) => {
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
  };
}

/** Answers with a problem. */
export function problem(status: number, code: string, more: Record<string, unknown> = {}, headers = {}): Step {
  const body = { type: `/docs/errors#${code}`, title: "No", status, detail: `No: ${code}`, instance: "/", code, ...more };
  return json(status, body, headers);
}

/** Opens a stream, sends these pieces one by one, and then ends, breaks or says nothing more. */
export function stream(then: "end" | "break" | "nothing", ...pieces: (string | Buffer)[]): Step {
  return async (response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    for (const piece of ["retry: 1000\n\n", ...pieces]) {
      response.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    if (then === "end") response.end();
    if (then === "break") response.destroy();
  };
}

/** Takes a request and answers nothing. */
export const lost: Step = (response) => response.destroy();

/** Takes a request and keeps the caller waiting, who clears up their memory meanwhile. */
export const silent: Step = () => {
  setTimeout(collect, 20);
  setTimeout(collect, 60);
};

setFlagsFromString("--expose-gc");
/** Collects what nobody holds any more. */
const collect: () => void = runInNewContext("gc");

/** Breaks off in the middle of an answer. */
export const cut: Step = (response) => {
  response.writeHead(201, { "Content-Type": "application/json", "Content-Length": "1000" });
  response.write('{"id": "', () => setTimeout(() => response.destroy(), 20));
};
