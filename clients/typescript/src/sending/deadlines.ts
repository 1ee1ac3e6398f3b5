/** Limits how long the client waits, even for a promise that ignores its signal. */

/**
 * Waits for a promise until the controller is aborted; aborts it after so many milliseconds.
 *
 * A `fetch` does not suffice: Node.js 20 may forget the signal of a request in progress.
 *
 * @throws the controller's reason
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
