// The top of a ladder's board, read again every two seconds.

const INTERVAL_MS = 2000;
const $ = (id) => document.getElementById(id);
const current = () => new URLSearchParams(location.search).get("ladder") ?? "nft";

async function read(path) {
  const response = await fetch(`/v1${path}`);
  if (!response.ok) throw new Error((await response.json()).detail);
  return response.json();
}

// Names are data: they reach the page as text only, each isolated from the direction of its neighbours.
function cell(text) {
  const td = document.createElement("td");
  const bdi = document.createElement("bdi");
  bdi.textContent = text;
  td.append(bdi);
  return td;
}

function row(entry) {
  const tr = document.createElement("tr");
  const rating = Math.round(entry.rating).toLocaleString();
  const texts = [entry.rank, entry.name ?? entry.player, rating, entry.games, entry.tier ?? ""];
  tr.append(...texts.map(cell));
  return tr;
}

function link(ladder) {
  const a = document.createElement("a");
  a.href = `?ladder=${ladder.id}`;
  a.textContent = ladder.title || ladder.id;
  if (ladder.id === current()) a.setAttribute("aria-current", "page");
  return a;
}

async function refresh() {
  try {
    const [ladders, board] = await Promise.all([read("/ladders"), read(`/ladders/${current()}/board`)]);
    const ladder = ladders.find(({ id }) => id === current());
    $("ladders").replaceChildren(...ladders.map(link));
    $("title").textContent = `${ladder.title || ladder.id}: ${board.total.toLocaleString()} players`;
    $("rows").replaceChildren(...board.entries.map(row));
    $("state").textContent = "";
  } catch (error) {
    $("state").textContent = `The board cannot be read at the moment: ${error.message}`;
  }
  setTimeout(refresh, INTERVAL_MS);
}

refresh();
