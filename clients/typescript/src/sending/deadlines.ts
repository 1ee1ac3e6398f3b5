/** Waits that end in time, whether or not what is waited for takes notice. */

/**
 * Waits for what comes within so many milliseconds and until the controller is aborted, which it is when time is up.
 *
 * A `fetch` alone does not keep to that: Node.js 20 may forget about the signal of a request that is under way.
 *
 * @throws what the controller was aborted with
 */
export function within<T>(milliseconds: number, controller: AbortController, coming: Promise<T>): Promise<T> {
  const { signal } = controller;
  const late = () => controller.abort(new DOMException(`Nothing within ${milliseconds} ms`, "TimeoutError"));
  const timer = setTimeout(late, milliseconds);
  return new Promise<T>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      reject(signal.reason);
    };
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
    coming.then(resolve, reject).finally(end);
  });
}
