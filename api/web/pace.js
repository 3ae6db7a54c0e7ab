// Doing things not too often.

/** Resolves after so many milliseconds, or at once when the signal is given. */
export function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
  });
}

/**
 * A function that has `action` done: at once after a quiet time, else when `interval` ms have passed since the
 * last time ended. However often it is called meanwhile, once is enough. Nothing is done after the signal.
 */
export function paced(action, interval, signal) {
  let wanted = false;
  let busy = false;
  const run = async () => {
    busy = true;
    while (wanted && !signal.aborted) {
      wanted = false;
      await action();
      await pause(interval, signal);
    }
    busy = false;
  };
  return () => {
    wanted = true;
    if (!busy) run();
  };
}
