// What the page shows is all in the query of its address, so that every view can be bookmarked and sent.

const FIELDS = ["ladder", "player", "opponent", "length", "me", "lang"];
const KEPT = ["me", "lang"]; // on every link: who is looking, and in which language

/** The fields of the address; null for those that are not there. */
export function read() {
  const query = new URLSearchParams(location.search);
  return Object.fromEntries(FIELDS.map((field) => [field, query.get(field) || null]));
}

/** The address of another view. */
export function href(fields) {
  const here = read();
  const kept = Object.fromEntries(KEPT.map((field) => [field, here[field]]));
  return query({ ...kept, ...fields });
}

/** The address of this view with other fields; null removes one. */
export function variant(fields) {
  return query({ ...read(), ...fields });
}

function query(fields) {
  const chosen = FIELDS.filter((field) => fields[field]).map((field) => [field, fields[field]]);
  return `?${new URLSearchParams(chosen)}`;
}

/** Goes there, as a link does. */
export function go(address) {
  history.pushState(null, "", address);
  dispatchEvent(new Event("arrival"));
}

/** Notes it as the present address, of the same view. */
export function note(address) {
  history.replaceState(null, "", address);
}

/** Links within the page change the view instead of loading the page again. */
export function followLinks() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='?']");
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !plain || event.defaultPrevented) return;
    event.preventDefault();
    go(link.getAttribute("href"));
  });
}
