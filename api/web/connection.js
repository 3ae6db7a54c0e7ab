// The bar that says so when the service is out of reach, and when it is back.

import { time } from "./format.js";
import { say } from "./language.js";

const RECOVERY_MS = 4000;

const bar = document.getElementById("connection");
let timer = null;

function show(text, state) {
  clearTimeout(timer);
  bar.textContent = text;
  bar.dataset.state = state;
}

/** Nothing to say. */
export function calm() {
  show("", "calm");
}

/** The service does not answer, and the page has nothing to show yet. */
export function waiting() {
  show(say("waiting"), "lost");
}

/** Follows a stream until `signal` says otherwise. */
export function watch(live, signal) {
  const draw = () => {
    if (live.state === "lost") {
      show(live.heard ? say("lost_since", { time: time(live.heard) }) : say("lost"), "lost");
    } else if (live.state === "live" && bar.dataset.state === "lost") {
      show(say("recovered"), "back");
      timer = setTimeout(calm, RECOVERY_MS);
    }
  };
  draw();
  live.addEventListener("state", draw, { signal });
}
