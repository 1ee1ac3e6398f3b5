/** A bad network: answers are lost, refused by a proxy or come twice, and streams are cut. */

import type { Send } from "billet-client";

export interface BadNetwork {
  readonly send: Send;
  /** How often something went wrong. */
  faults: number;
}

/** Sends requests so that of a hundred so many come to harm, in one of several ways. */
export function badNetwork(percent: number): BadNetwork {
  const network: BadNetwork = {
    faults: 0,
    async send(request) {
      if (Math.random() * 100 >= percent) return await fetch(request);
      network.faults++;
      return await HARMS[Math.floor(Math.random() * HARMS.length)]!(request);
    },
  };
  return network;
}

const HARMS: readonly Send[] = [
  async () => {
    throw new TypeError("lost on the way there");
  },
  async (request) => {
    const response = await fetch(request);
    if (isStream(response)) return cut(response);
    await response.arrayBuffer();
    throw new TypeError("lost on the way back");
  },
  async (request) => {
    const [first, second] = await Promise.all([fetch(request.clone()), fetch(request)]);
    await first.body?.cancel();
    return second;
  },
  async () => new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "Content-Type": "text/html" } }),
  async () => new Response(null, { status: 503, headers: { "Retry-After": "0" } }),
];

function isStream(response: Response): boolean {
  return response.headers.get("Content-Type") === "text/event-stream";
}

/** Breaks a stream off after some bytes, in the middle of wherever that is. */
function cut(response: Response): Response {
  let left = Math.floor(Math.random() * 3000);
  const short = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left < 0) controller.error(new TypeError("cut"));
    },
  });
  return new Response(response.body!.pipeThrough(short), response);
}
