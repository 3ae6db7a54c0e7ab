// Elements from values. Text always becomes a text node: nothing here, or anywhere on the page, parses markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with attributes (null and false leave one out, functions listen) and children (text and nodes;
 * anything else is left out).
 */
export function element(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/** The same for a part of a drawing. */
export function shape(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

function furnish(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, value === true ? "" : value);
    }
  }
  node.append(...children.filter((child) => child instanceof Node || typeof child === "string"));
  return node;
}

/** Text that people have chosen: isolated, so that its direction does not reach its neighbours. */
export function name(text) {
  return element("bdi", {}, text);
}

/** New children for a container; a link that had the focus has it again if it is still there. */
export function refill(container, ...children) {
  const focused = container.contains(document.activeElement) && document.activeElement.getAttribute("href");
  container.replaceChildren(...children);
  if (focused) container.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}
