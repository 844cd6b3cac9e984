"use strict";
(() => {
const $ = (id) => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const phone = matchMedia("(max-width: 700px)");
const DIRECTION = ["writes", "notifies", "indicates", "is read", "advertises"];
const SENT = 1, INCOMPLETE = 2, BAD = 4, GOOD = 8, UNKNOWN = 16, UNJOINED = 32, RAW = 64;

// Text from the air: what turns the direction of writing, hides, or controls is shown as what it is.
const HARMFUL = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;
const safe = (text) => String(text).replace(HARMFUL, (c) => "\\u{" + c.charCodeAt(0).toString(16) + "}");

function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const key in attributes || {}) {
    const value = attributes[key];
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") element.className = value; else element.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined && child !== "") element.append(child);
  return element;
}

function pad(number, digits) { return String(number).padStart(digits, "0"); }

// Microseconds since the first packet, as seconds; from ten minutes on with minutes and hours.
function clock(micros, digits = 6) {
  const sign = micros < 0 ? "-" : "", all = Math.abs(micros);
  const seconds = Math.floor(all / 1e6), rest = pad(Math.floor(all % 1e6), 6).slice(0, digits);
  const dot = digits ? "." + rest : "";
  if (data.span < 600e6) return sign + seconds + dot;
  return sign + Math.floor(seconds / 3600) + ":" + pad(Math.floor(seconds / 60) % 60, 2) + ":" + pad(seconds % 60, 2) + (digits ? dot.slice(0, 4) : "");
}

function duration(micros) {
  const value = Math.abs(micros);
  if (value < 1000) return Math.round(micros) + " µs";
  if (value < 1e6) return (micros / 1e3).toFixed(value < 1e5 ? 1 : 0) + " ms";
  if (value < 120e6) return (micros / 1e6).toFixed(value < 1e8 ? 1 : 0) + " s";
  if (value < 7200e6) return Math.floor(micros / 60e6) + " min " + Math.floor(micros / 1e6) % 60 + " s";
  return Math.floor(micros / 3600e6) + " h " + Math.floor(micros / 60e6) % 60 + " min";
}

const utc = (micros) => {
  const at = data.start + micros, date = new Date(Math.floor(at / 1000));
  return isNaN(date) ? "" : date.toISOString().replace("T", " ").slice(0, 19) + "." + pad(((at % 1e6) + 1e6) % 1e6, 6) + " UTC";
};
const number = (value) => Math.abs(value) >= 1e4 && Number.isInteger(value) ? value.toLocaleString("en").replace(/,/g, "\u202f") : String(+Number(value).toPrecision(6));
const spaced = (hex) => hex.replace(/..(?=.)/g, "$& ");

// MARK: Theme

const root = document.documentElement, themeButton = $("theme");
const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
function theme(name) {
  if (name) root.dataset.theme = name;
  themeButton.textContent = isDark() ? "Light" : "Dark";
  redraw();
}
try { const kept = localStorage.getItem("btscribe-theme"); if (kept === "dark" || kept === "light") root.dataset.theme = kept; } catch (_) { /* a file may have no storage */ }
themeButton.hidden = false;
themeButton.addEventListener("click", () => {
  const next = isDark() ? "light" : "dark";
  try { localStorage.setItem("btscribe-theme", next); } catch (_) { /* kept for this page alone */ }
  theme(next);
});

// MARK: What the data says

// A message: [time, frame, kind, connection, flags, payload, text, shape, values, more].
const messages = data.messages, operations = data.operations, findings = data.findings;
const kindOf = (message) => data.kinds[message[2]];
const sourceOf = (message) => data.sources[kindOf(message)[0]];
const isSent = (message) => (message[4] & SENT) !== 0;
const connectionName = (index) => index >= 0 ? data.connections[index][2] : "";
const RUNS = new Set(data.runs);

// Operations that a message tells of too are told with the message.
const byFrame = new Map(), messageAt = new Map(), operationAt = new Map();
operations.forEach((operation, index) => {
  for (const frame of operation[13] || [operation[2]]) if (!operationAt.has(frame)) operationAt.set(frame, index);
});
const told = new Uint8Array(operations.length);
messages.forEach((message, index) => {
  const frames = message[9] && message[9].k ? message[9].k.map((one) => one[0]) : [message[1]];
  if (!messageAt.has(message[1])) messageAt.set(message[1], index);
  for (const frame of frames) {
    const operation = operationAt.get(frame);
    if (operation !== undefined && operations[operation][14]) { told[operation] = 1; (byFrame.get(index) || byFrame.set(index, []).get(index)).push(operation); }
    if (!messageAt.has(frame)) messageAt.set(frame, index);
  }
});

// Everything in the order of time: [time, frame, what (0 operation, 1 message, 2 finding), index].
const all = [];
operations.forEach((one, index) => { all.push([one[0], one[2], 0, index]); });
messages.forEach((one, index) => { all.push([one[0], one[1], 1, index]); });
findings.forEach((one, index) => { all.push([one[0], one[1], 2, index]); });
all.sort((a, b) => a[1] - b[1] || a[2] - b[2] || a[3] - b[3]);

function facts(item) {
  const [time, frame, what, index] = item;
  if (what === 2) {
    const finding = findings[index];
    return { time, frame, way: "!", source: finding[2], text: finding[4], took: "", look: finding[2] === "error" ? "bad" : finding[2] === "warning" ? "doubt" : "op", connection: finding[6] };
  }
  if (what === 0) {
    const one = operations[index], failed = one[8] === 1 || one[8] === 2;
    const label = one[5] >= 0 ? data.labels[one[5]] : "";
    const status = failed || one[8] >= 3 ? one[9] : "";
    const text = [data.verbs[one[4]] + (label ? " " + label : ""), status, one[11]].filter(Boolean).join("  ");
    return { time, frame, way: one[6] >= 0 ? (failed ? "✗" : one[12] ? "←" : "→") : "·", source: connectionName(one[6]) || one[7] || "", text, took: one[10] >= 0 ? duration(one[10]) : one[1] > 0 ? duration(one[1]) : "", look: failed ? "bad op" : "op", connection: one[6] };
  }
  const message = messages[index], flags = message[4], kind = kindOf(message);
  let text = message[6], look = "", took = "";
  const failed = (byFrame.get(index) || []).map((at) => operations[at]).find((one) => one[8] === 1 || one[8] === 2);
  if (failed) { look = "bad"; text = failed[9] + "  " + text; }
  if (flags & (INCOMPLETE | BAD)) look = "bad"; else if (flags & (UNKNOWN | UNJOINED)) look = look || "doubt";
  if (message[9] && message[9].p) text = message[9].p + "  " + text;
  if (message[9] && message[9].l !== undefined) took = duration(message[9].l);
  return { time, frame, way: failed ? "✗" : isSent(message) ? "→" : "←", source: sourceOf(message)[0], text, hex: text ? "" : spaced(message[5].slice(0, 96)) || "(empty)", took, look, connection: message[3], kind };
}

// MARK: The list

const list = $("list"), detail = $("detail"), filter = $("filter");
let shown = [], selected = -1, span = null;
const rowHeight = () => phone.matches ? 48 : 28;

let haystacks = null;
function haystack(at) {
  if (!haystacks) haystacks = new Array(all.length);
  if (haystacks[at] === undefined) {
    const item = all[at], fact = facts(item);
    let text = fact.source + " " + fact.text + " #" + fact.frame + " ";
    if (item[2] === 1) {
      const message = messages[item[3]];
      text += kindOf(message)[2] + " " + message[5] + " " + (message[8] ? JSON.stringify(message[8]) : "") + " " + connectionName(message[3]);
    }
    haystacks[at] = text.toLowerCase();
  }
  return haystacks[at];
}

function choose() {
  const words = $("search").value.trim().toLowerCase(), show = $("show").value, over = $("over").value, inside = $("inspan").checked && span;
  // Bytes may be given with blanks between them.
  const bytes = /^(?:[0-9a-f]{2}[ :]?)+$/.test(words) && words.length > 1 ? words.replace(/[ :]/g, "") : null;
  shown = [];
  for (let at = 0; at < all.length; at++) {
    const [time, , what, index] = all[at];
    if (inside && (time < span[0] || time > span[1])) continue;
    if (what === 0 && show !== "operations") {
      if (show === "messages" || told[index] || RUNS.has(operations[index][4]) && operations[index][14]) continue;
    } else if (what === 1 && show === "operations") continue;
    else if (what === 2 && (show === "messages" || show === "operations")) continue;
    if (over !== "") {
      if (over[0] === "s") { if (what !== 1 || kindOf(messages[index])[0] !== +over.slice(1)) continue; }
      else if ((what === 1 ? messages[index][3] : what === 0 ? operations[index][6] : findings[index][6]) !== +over.slice(1)) continue;
    }
    if (show === "trouble" && what !== 2 && !/bad|doubt/.test(facts(all[at]).look)) continue;
    if (words) {
      const text = haystack(at);
      if (/^#\d+$/.test(words) ? !text.includes(words + " ") : !text.includes(words) && !(bytes && what === 1 && hexHas(messages[index][5], bytes))) continue;
    }
    shown.push(at);
  }
  $("found").textContent = shown.length === all.length - told.reduce((sum, one) => sum + one, 0) ? number(shown.length) + " entries" : number(shown.length) + " of " + number(all.length) + " entries";
  list.firstElementChild.style.height = shown.length * rowHeight() + "px";
  list.scrollTop = Math.min(list.scrollTop, shown.length * rowHeight());
  draw();
}

function hexHas(text, bytes) {
  for (let at = text.indexOf(bytes); at >= 0; at = text.indexOf(bytes, at + 1)) if (at % 2 === 0) return true;
  return false;
}

function row(place) {
  const fact = facts(all[shown[place]]);
  const element = make("div", { class: "row " + fact.look, role: "option", id: "r" + shown[place], "aria-selected": String(shown[place] === selected), "aria-posinset": place + 1, "aria-setsize": shown.length },
    make("span", { class: "t" }, clock(fact.time)), make("span", { class: "f" }, "#" + fact.frame), make("span", { class: "way" }, fact.way),
    make("span", { class: "src" }, safe(fact.source)), make("span", { class: fact.hex ? "what x" : "what" }, safe(fact.hex || fact.text)), make("span", { class: "took" }, fact.took));
  element.style.top = place * rowHeight() + "px";
  element.dataset.place = place;
  return element;
}

let drawn = [0, 0, null];
function draw(again = true) {
  if (list.hidden) return;
  const height = rowHeight(), first = Math.max(0, Math.floor(list.scrollTop / height) - 8);
  const last = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / height) + 8);
  if (!again && drawn[0] === first && drawn[1] === last) return;
  drawn = [first, last];
  const rows = document.createDocumentFragment();
  for (let place = first; place < last; place++) rows.append(row(place));
  while (list.children.length > 1) list.lastElementChild.remove();
  list.append(rows);
  if (selected >= 0 && $("r" + selected)) list.setAttribute("aria-activedescendant", "r" + selected); else list.removeAttribute("aria-activedescendant");
}

function select(at, opens = true) {
  selected = at;
  const place = shown.indexOf(at), height = rowHeight();
  if (place >= 0) {
    if (place * height < list.scrollTop) list.scrollTop = place * height;
    else if ((place + 1) * height > list.scrollTop + list.clientHeight) list.scrollTop = (place + 1) * height - list.clientHeight;
  }
  draw();
  if (opens) open(all[at]);
}

function move(by) {
  const place = shown.indexOf(selected);
  if (shown.length) select(shown[Math.max(0, Math.min(shown.length - 1, place < 0 ? 0 : place + by))]);
}

// A frame's message, else its operation or finding; filters that hide it are given up.
function goTo(frame) {
  let at = -1;
  const message = messageAt.get(frame), operation = operationAt.get(frame);
  if (message !== undefined) at = all.findIndex((one) => one[2] === 1 && one[3] === message);
  else if (operation !== undefined) at = all.findIndex((one) => one[2] === 0 && one[3] === operation);
  else at = all.findIndex((one) => one[1] >= frame);
  if (at < 0) return;
  if (!shown.includes(at)) { $("search").value = ""; $("over").value = ""; $("inspan").checked = false; $("show").value = all[at][2] === 0 ? "operations" : "all"; choose(); }
  $("conversation").scrollIntoView({ block: "start" });
  select(at);
}

if (list) {
  filter.hidden = list.hidden = detail.hidden = false;
  const over = $("over");
  if (data.connections.length > 1) data.connections.forEach((one, index) => over.append(make("option", { value: "c" + index }, safe(one[2] + " " + one[3]))));
  data.sources.forEach((one, index) => { if (one[4]) over.append(make("option", { value: "s" + index }, safe(one[0]))); });
  let wait = 0;
  $("search").addEventListener("input", () => { clearTimeout(wait); wait = setTimeout(choose, all.length > 20000 ? 200 : 40); });
  for (const id of ["show", "over", "inspan"]) $(id).addEventListener("change", choose);
  filter.addEventListener("submit", (event) => event.preventDefault());
  $("search").addEventListener("keydown", (event) => { if (event.key === "ArrowDown" || event.key === "Enter") { event.preventDefault(); choose(); list.focus(); if (shown.length && !shown.includes(selected)) select(shown[0]); } });
  list.addEventListener("scroll", () => requestAnimationFrame(() => draw(false)), { passive: true });
  list.addEventListener("click", (event) => { const one = event.target.closest(".row"); if (one) select(shown[+one.dataset.place]); });
  list.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.floor(list.clientHeight / rowHeight()) - 1);
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
    if (by !== undefined) { event.preventDefault(); if (by === Infinity) select(shown[shown.length - 1]); else if (by === -Infinity) select(shown[0]); else move(by); }
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); if (selected >= 0) open(all[selected]); const first = detail.querySelector("[tabindex]"); if (first) first.focus(); }
  });
  addEventListener("keydown", (event) => {
    if (event.key === "/" && !/INPUT|SELECT|TEXTAREA/.test(document.activeElement.tagName)) { event.preventDefault(); $("search").focus(); $("conversation").scrollIntoView(); }
    if (event.key === "Escape" && detail.contains(document.activeElement)) { detail.classList.remove("open"); list.focus(); }
  });
  new ResizeObserver(() => draw()).observe(list);
  phone.addEventListener("change", choose);
}

// MARK: One message: fields beside bytes

function link(frame, text) {
  const target = make("a", { href: "#f" + frame }, text || "#" + frame);
  return target;
}

// What a byte belongs to: 1 a field, 2 a secret one, whose bytes are not in the report.
function bytesOf(hex, shape, count) {
  const held = new Uint8Array(hex.length / 2);
  if (shape) for (const field of shape) if (!(field[7] & 1) || field[7] & 4) for (let at = field[3]; at < field[3] + field[4] && at < held.length; at++) held[at] = Math.max(held[at], field[7] & 4 ? 2 : 1);
  const box = make("div", { class: "bytes", "data-bytes": true, role: "group", "aria-label": "Bytes" });
  const width = phone.matches ? 8 : 16, total = hex.length / 2;
  for (let start = 0; start < total; start += width) {
    const cells = make("span", {}), text = [];
    for (let at = start; at < Math.min(total, start + width); at++) {
      const value = held[at] === 2 ? "••" : hex.substr(at * 2, 2), code = parseInt(value, 16);
      cells.append(make("b", { "data-i": at, class: shape && !held[at] ? "none" : null, tabindex: at === 0 ? 0 : -1, "aria-label": "byte " + at + ": " + value }, value));
      text.push(held[at] === 2 ? "•" : code >= 32 && code < 127 ? String.fromCharCode(code) : ".");
    }
    box.append(make("div", { class: "row16" }, make("span", { class: "off" }, pad(start.toString(16), 4)), cells, make("span", { class: "asc", "aria-hidden": "true" }, text.join(""))));
  }
  if (count > total) box.append(make("small", {}, "and " + number(count - total) + " bytes more, which the report does not keep"));
  return box;
}

function places(field) {
  if (!field[4]) return "";
  const from = field[3], to = field[3] + field[4] - 1;
  let text = from === to ? String(from) : from + "–" + to;
  if (field[6]) text += field[6] === 1 ? " bit " + field[5] : " bits " + field[5] + "–" + (field[5] + field[6] - 1);
  return text;
}

function value(one) { return one === null ? "none" : one === true ? "yes" : one === false ? "no" : typeof one === "number" ? String(one) : safe(one); }

function fieldsOf(shape, values) {
  const body = make("tbody", {});
  shape.forEach((field, index) => {
    const holder = field[7] & 1;
    body.append(make("tr", { "data-r": field[4] ? field[3] + "-" + (field[3] + field[4]) : null, class: "d" + Math.min(6, field[2]) + (field[7] & 2 ? " quiet" : ""), tabindex: index === 0 ? 0 : -1 },
      make("td", { class: "n m" }, places(field)), make("td", {}, safe(field[0])), make("td", {}, holder ? "" : value(values[index]) + (field[1] && values[index] !== null ? " " + safe(field[1]) : ""))));
  });
  return make("div", { class: "wide" }, make("table", { class: "fields" }, make("thead", {}, make("tr", {}, make("th", { class: "n" }, "Bytes"), make("th", {}, "Field"), make("th", {}, "Value"))), body));
}

// Which bytes of a packet are the payload's: what stands before and behind are headers and trailers of the layers.
function split(packet, payload, at) {
  for (let head = 0; head <= Math.min(packet.length, 24); head += 2) for (let tail = 0; tail <= Math.min(8, packet.length - head); tail += 2) {
    const inside = packet.slice(head, packet.length - tail);
    if (inside && payload.startsWith(inside, at)) return [packet.slice(0, head), inside, tail ? packet.slice(-tail) : ""];
  }
  return ["", packet, ""];
}

function packetsOf(packets, payload, count) {
  const rows = make("ol", { class: "packets" });
  let at = 0;
  for (const [frame, hex] of packets) {
    const [head, body, tail] = split(hex, payload, at);
    if (head || tail || payload.startsWith(body, at)) at += body.length;
    rows.append(make("li", {}, make("span", { class: "m" }, "#" + frame), make("code", {}, head ? make("b", {}, spaced(head)) : "", head ? " " : "", spaced(body), tail ? " " : "", tail ? make("b", {}, spaced(tail)) : "")));
  }
  return make("div", {}, make("h5", {}, (count === 1 ? "1 packet" : count + " packets") + " on the air; bold is what the payload does not have"), rows);
}

function open(item) {
  const [time, frame, what, index] = item, fact = facts(item);
  const close = make("button", { type: "button", class: "close", "aria-label": "Close" }, "Close");
  close.addEventListener("click", () => { detail.classList.remove("open"); list.focus(); });
  const parts = [close];
  const meta = [utc(time)];
  if (fact.connection >= 0) meta.push(safe(connectionName(fact.connection)) + " " + data.connections[fact.connection][3]);
  if (what === 1) {
    const message = messages[index], kind = kindOf(message), more = message[9] || {}, flags = message[4], source = sourceOf(message);
    const shape = message[7] >= 0 ? data.shapes[message[7]] : null;
    parts.push(make("h3", {}, safe(source[0] + " ") , make("span", { class: "dir" }, kind[1] === 0 ? isSent(message) ? "is written" : "was written" : DIRECTION[kind[1]])));
    parts.push(make("p", { class: "where" }, (kind[2] ? safe(kind[2]) + " · " : "") + "#" + frame + " · " + meta.join(" · ")));
    if (message[6]) parts.push(make("p", { class: "say-line" }, safe(message[6])));
    for (const at of byFrame.get(index) || []) {
      const one = operations[at];
      if (one[8] === 1 || one[8] === 2) parts.push(make("p", { class: "bad" }, data.verbs[one[4]] + ": " + safe(one[9])));
    }
    if (more.p) parts.push(make("p", { class: "bad" }, safe(more.p)));
    if (flags & GOOD) parts.push(make("p", { class: "where" }, "checksum right"));
    if (more.r) parts.push(make("p", { class: "where" }, "answers ", link(more.r), more.l !== undefined ? " after " + duration(more.l) : ""));
    const answers = answersOf().get(frame);
    if (answers) parts.push(make("p", { class: "where" }, "answered by ", ...answers.flatMap((one, place) => [place ? ", " : "", link(one)])));
    parts.push(make("h5", {}, number(more.n || message[5].length / 2) + ((more.n || message[5].length / 2) === 1 ? " byte" : " bytes")));
    parts.push(bytesOf(message[5], shape, more.n || 0));
    if (shape) parts.push(fieldsOf(shape, message[8] || []));
    if (more.k) parts.push(packetsOf(more.k, message[5], more.c || more.k.length));
    if (source[4]) parts.push(make("p", { class: "where" }, make("a", { href: "#k" + message[2] }, "All of this kind")));
  } else if (what === 0) {
    const one = operations[index];
    parts.push(make("h3", {}, data.verbs[one[4]] + (one[5] >= 0 ? " " + safe(data.labels[one[5]]) : "")));
    parts.push(make("p", { class: "where" }, "#" + one[2] + (one[3] !== one[2] ? " to #" + one[3] : "") + " · " + meta.join(" · ")));
    parts.push(make("p", { class: one[8] === 1 || one[8] === 2 ? "bad" : "" }, safe(one[9]) + (one[10] >= 0 ? ", after " + duration(one[10]) : "")));
    if (one[1] > 0) parts.push(make("p", { class: "where" }, "lasted " + duration(one[1])));
    if (one[11]) parts.push(make("p", { class: "say-line" }, safe(one[11])));
    if (one[13] && one[13].length > 1) parts.push(make("p", { class: "where" }, "packets ", one[13].map((frame) => "#" + frame).join(" ")));
  } else {
    const one = findings[index];
    parts.push(make("h3", { class: fact.look === "bad" ? "bad" : "warn" }, one[2]));
    parts.push(make("p", { class: "where" }, "#" + frame + " · " + meta.join(" · ")));
    parts.push(make("p", { class: "say-line" }, safe(one[4])));
    if (one[5]) parts.push(make("p", { class: "where" }, one[5]));
    if (messageAt.has(frame)) parts.push(make("p", {}, link(frame, "The message")));
  }
  detail.replaceChildren(...parts);
  detail.classList.add("open");
  detail.scrollTop = 0;
}

let answersByRequest = null;
function answersOf() {
  if (!answersByRequest) {
    answersByRequest = new Map();
    for (const message of messages) if (message[9] && message[9].r) (answersByRequest.get(message[9].r) || answersByRequest.set(message[9].r, []).get(message[9].r)).push(message[1]);
  }
  return answersByRequest;
}

// Pointing at a field lights its bytes, and the other way round; the same with the focus.
function light(target, follows = false) {
  const scope = target && target.closest && target.closest("#detail, .example");
  document.querySelectorAll(".lit").forEach((one) => one.classList.remove("lit"));
  if (!scope) return;
  const field = target.closest("tr[data-r]"), byte = target.closest("b[data-i]");
  if (field) {
    const [from, to] = field.dataset.r.split("-").map(Number);
    field.classList.add("lit");
    scope.querySelectorAll("b[data-i]").forEach((one) => { if (+one.dataset.i >= from && +one.dataset.i < to) one.classList.add("lit"); });
    // Long messages have more bytes than the box shows.
    const first = scope.querySelector("b.lit"), box = first && first.closest("#detail .bytes");
    if (box && (first.offsetTop < box.scrollTop || first.offsetTop + first.offsetHeight > box.scrollTop + box.clientHeight)) box.scrollTop = first.offsetTop - 8;
  } else if (byte) {
    const at = +byte.dataset.i;
    byte.classList.add("lit");
    let best = null, width = Infinity;
    scope.querySelectorAll("tr[data-r]").forEach((one) => {
      const [from, to] = one.dataset.r.split("-").map(Number);
      if (at < from || at >= to || to - from > width) return;
      if (to - from < width) { best = []; width = to - from; }
      best.push(one);
    });
    if (follows && best && best.length && scope.id === "detail") best[0].scrollIntoView({ block: "nearest", behavior: "instant" });
    for (const one of best || []) {
      one.classList.add("lit");
      const [from, to] = one.dataset.r.split("-").map(Number);
      scope.querySelectorAll("b[data-i]").forEach((near) => { if (+near.dataset.i >= from && +near.dataset.i < to) near.classList.add("lit"); });
    }
  }
}
document.addEventListener("pointerover", (event) => { if (event.target.closest && event.target.closest("tr[data-r], b[data-i]")) light(event.target); else if (!event.target.closest || !event.target.closest(".fields, .bytes")) light(document.activeElement); });
document.addEventListener("focusin", (event) => light(event.target, true));
document.addEventListener("click", (event) => { const byte = event.target.closest && event.target.closest("b[data-i]"); if (byte) byte.focus(); });
document.addEventListener("keydown", (event) => {
  const target = event.target, field = target.closest && target.closest("tr[tabindex]"), byte = target.closest && target.closest("b[tabindex]");
  if (!field && !byte) return;
  const scope = target.closest("#detail, .example"), same = [...scope.querySelectorAll(field ? "tr[tabindex]" : "b[tabindex]")], at = same.indexOf(target);
  const width = phone.matches ? 8 : 16;
  const by = field ? { ArrowDown: 1, ArrowUp: -1, Home: -at, End: same.length - 1 - at }[event.key] : { ArrowRight: 1, ArrowLeft: -1, ArrowDown: width, ArrowUp: -width, Home: -at, End: same.length - 1 - at }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  const next = same[Math.max(0, Math.min(same.length - 1, at + by))];
  target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
});
document.querySelectorAll(".example").forEach((one) => {
  const first = one.querySelector("tr[data-r]"), byte = one.querySelector("b[data-i]");
  one.querySelectorAll("tr[data-r], b[data-i]").forEach((each) => { each.tabIndex = -1; });
  if (first) first.tabIndex = 0;
  if (byte) byte.tabIndex = 0;
});

// MARK: Lanes

const lanesBox = $("lanes");
const full = [0, Math.max(1, data.span)];
let view = full.slice(), lanes = [], canvas = null;

function planLanes() {
  const names = lanesBox.querySelector("ul");
  const scans = operations.filter((one) => data.scans.includes(one[4]));
  if (scans.length) lanes.push({ name: "Scans", bars: scans.map((one) => [one[0], one[0] + one[1], "soft", one]) });
  const order = data.connections.map((one, index) => index).sort((a, b) => data.connections[b][4] - data.connections[a][4]).slice(0, 16).sort((a, b) => a - b);
  for (const index of order) {
    const one = data.connections[index];
    lanes.push({ name: safe(one[2] + " " + one[3]), head: true, bars: [[one[0], one[1], "accent", null]], connection: index });
    const periods = data.listening.filter((period) => period[0] === index), byLabel = new Map();
    for (const period of periods) (byLabel.get(period[1]) || byLabel.set(period[1], []).get(period[1])).push(period);
    [...byLabel].slice(0, 8).forEach(([label, some]) => lanes.push({ name: "listens: " + safe(label), inner: true, bars: some.map((period) => [period[2], period[3], "faint", null, label + ", " + period[4]]) }));
    const done = operations.filter((operation) => operation[6] === index && !data.scans.includes(operation[4]) && !RUNS.has(operation[4]));
    if (done.length) lanes.push({ name: "operations", inner: true, bars: done.map((operation) => [operation[0], operation[0] + operation[1], operation[8] === 1 || operation[8] === 2 ? "bad" : "ink", operation]) });
    const sent = [], received = [];
    messages.forEach((message) => { if (message[3] === index) (isSent(message) ? sent : received).push([message[0], message[0], message[4] & (INCOMPLETE | BAD) ? "bad" : "accent", message]); });
    if (sent.length) lanes.push({ name: "sent", inner: true, bars: sent });
    if (received.length) lanes.push({ name: "received", inner: true, bars: received });
  }
  if (order.length < data.connections.length) lanes.push({ name: "other connections", bars: data.connections.filter((_, index) => !order.includes(index)).map((one) => [one[0], one[1], "faint", null, one[2] + " " + one[3]]) });
  if (findings.length) lanes.push({ name: "Findings", head: true, bars: findings.map((one) => [one[0], one[0], one[2] === "error" ? "bad" : one[2] === "warning" ? "warn" : "soft", one]) });
  for (const lane of lanes) lane.bars.sort((a, b) => a[0] - b[0]);
  for (const lane of lanes) names.append(make("li", { class: lane.inner ? "in" : lane.head ? "head" : null, title: lane.name }, lane.name));
}

const LANE = 22;
let palette = {};
function drawLanes() {
  if (!canvas) return;
  const style = getComputedStyle(root), colour = (name) => style.getPropertyValue(name).trim();
  palette = { paper: colour("--paper"), line: colour("--line"), soft: colour("--soft"), ink: colour("--ink"), accent: colour("--accent"), faint: colour("--faint"), bad: colour("--bad"), warn: colour("--warn") };
  const ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = (lanes.length + 1) * LANE;
  canvas.style.height = height + "px";
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.round(height * ratio);
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  pen.fillStyle = palette.paper;
  pen.fillRect(0, 0, width, height);
  const x = (time) => (time - view[0]) / (view[1] - view[0]) * width;
  pen.font = "11px system-ui, sans-serif";
  pen.textBaseline = "middle";
  for (const [time, text] of ticks(view[0], view[1], Math.max(2, Math.floor(width / 110)))) {
    const at = Math.round(x(time)) + .5;
    pen.strokeStyle = palette.line;
    pen.beginPath(); pen.moveTo(at, LANE - 5); pen.lineTo(at, height); pen.stroke();
    pen.fillStyle = palette.soft;
    if (at < width - 30) pen.fillText(text, at + 3, LANE / 2);
  }
  lanes.forEach((lane, index) => {
    const top = (index + 1) * LANE;
    pen.strokeStyle = palette.line;
    pen.beginPath(); pen.moveTo(0, top + .5); pen.lineTo(width, top + .5); pen.stroke();
    // What falls on the same pixel is one mark: the more there is, the stronger, and the worst of it tells the colour.
    const marks = new Map();
    let most = 1;
    for (const [from, to, look] of lane.bars) {
      if (from > view[1]) break;
      if (to < view[0]) continue;
      const left = Math.max(-2, x(from)), right = Math.min(width + 2, x(to));
      if (right - left < 2) {
        const pixel = Math.min(Math.round(left), Math.floor(width) - 2), mark = marks.get(pixel);
        if (!mark) { marks.set(pixel, [look, 1]); continue; }
        if (look === "bad" || look === "warn" && mark[0] !== "bad") mark[0] = look;
        most = Math.max(most, ++mark[1]);
        continue;
      }
      pen.fillStyle = palette[look] || palette.soft;
      pen.globalAlpha = look === "accent" && lane.head ? .35 : look === "faint" ? .8 : .85;
      pen.fillRect(left, top + 6, right - left, LANE - 11);
    }
    for (const [pixel, [look, count]] of marks) {
      pen.fillStyle = palette[look] || palette.soft;
      pen.globalAlpha = look === "bad" || most < 3 ? 1 : .25 + .75 * count / most;
      pen.fillRect(pixel, top + 5, 2, LANE - 9);
    }
    pen.globalAlpha = 1;
  });
  if (drag && drag.mode === "span") {
    pen.fillStyle = palette.accent; pen.globalAlpha = .15;
    pen.fillRect(Math.min(drag.x, drag.now), 0, Math.abs(drag.now - drag.x), height);
    pen.globalAlpha = 1;
  }
}

function ticks(from, to, most) {
  const steps = [1, 2, 5];
  let size = 1, index = 0;
  while ((to - from) / (size * steps[index]) > most) { index++; if (index === 3) { index = 0; size *= 10; } }
  let step = size * steps[index];
  if (step >= 60e6) step = [60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400, 604800].map((one) => one * 1e6).find((one) => (to - from) / one <= most) || step;
  const result = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) result.push([at, axisTime(at, step)]);
  return result;
}

function axisTime(micros, step) {
  const digits = step >= 1e6 ? 0 : Math.min(6, Math.ceil(-Math.log10(step / 1e6)));
  if (data.span < 600e6) return (micros / 1e6).toFixed(digits) + " s";
  return clock(micros, digits ? 3 : 0);
}

let drag = null;
function zoom(factor, at = .5) {
  const middle = view[0] + (view[1] - view[0]) * at;
  let width = Math.min(full[1] - full[0], Math.max(20, (view[1] - view[0]) * factor));
  setView(middle - width * at, middle - width * at + width);
}

function setView(from, to) {
  const width = Math.min(to - from, full[1] - full[0]);
  from = Math.max(full[0], Math.min(full[1] - width, from));
  view = [from, from + width];
  span = width < full[1] - full[0] ? view : null;
  drawLanes();
  $("lanes-say").textContent = span ? clock(view[0]) + " to " + clock(view[1]) + " (" + duration(width) + ")" : "";
  if (list && $("inspan").checked) choose();
}

function under(event) {
  const box = canvas.getBoundingClientRect(), width = box.width, px = event.clientX - box.left;
  const lane = lanes[Math.floor((event.clientY - box.top) / LANE) - 1];
  if (!lane) return null;
  const time = view[0] + px / width * (view[1] - view[0]), slack = (view[1] - view[0]) / width * 4;
  let best = null, near = Infinity;
  for (const bar of lane.bars) {
    if (bar[0] - slack > time) break;
    const distance = time < bar[0] ? bar[0] - time : time > bar[1] ? time - bar[1] : 0;
    if (distance <= slack && (distance < near || distance === near && best && bar[1] - bar[0] < best[1] - best[0])) { best = bar; near = distance; }
  }
  return best && { lane, bar: best };
}

function describe({ lane, bar }) {
  const thing = bar[3];
  const item = thing && (findings.includes(thing) ? [thing[0], thing[1], 2, findings.indexOf(thing)] : lane.name === "sent" || lane.name === "received" ? [thing[0], thing[1], 1, messages.indexOf(thing)] : [thing[0], thing[2], 0, operations.indexOf(thing)]);
  if (!item) return [clock(bar[0]) + " to " + clock(bar[1]) + "  " + safe(bar[4] || lane.name), null];
  const fact = facts(item);
  return ["#" + fact.frame + "  " + clock(fact.time) + "  " + safe(fact.source) + "  " + safe(fact.text || fact.hex).slice(0, 160), item];
}

if (lanesBox && data.span > 0) {
  planLanes();
  if (lanes.length) {
    lanesBox.hidden = false;
    canvas = lanesBox.querySelector("canvas");
    lanesBox.querySelectorAll("[data-zoom]").forEach((button) => button.addEventListener("click", () => { if (button.dataset.zoom === "all") setView(...full); else zoom(button.dataset.zoom === "in" ? .5 : 2); }));
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) return;
      event.preventDefault();
      const box = canvas.getBoundingClientRect();
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) { const by = (event.deltaX || event.deltaY) / box.width * (view[1] - view[0]); setView(view[0] + by, view[1] + by); }
      else zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 120), (event.clientX - box.left) / box.width);
    }, { passive: false });
    const touches = new Map();
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button > 0) return;
      canvas.setPointerCapture(event.pointerId);
      const px = event.clientX - canvas.getBoundingClientRect().left;
      touches.set(event.pointerId, px);
      drag = { x: px, now: px, view: view.slice(), mode: event.shiftKey || span && event.pointerType !== "mouse" ? "move" : "span", isMoved: false };
      if (touches.size === 2) drag = { mode: "pinch", start: [...touches.values()], view: view.slice(), isMoved: true };
    });
    canvas.addEventListener("pointermove", (event) => {
      const px = event.clientX - canvas.getBoundingClientRect().left, width = canvas.clientWidth;
      if (touches.has(event.pointerId)) touches.set(event.pointerId, px);
      if (drag && drag.mode === "pinch" && touches.size === 2) {
        const [a, b] = drag.start, [c, d] = [...touches.values()], scale = Math.abs(a - b) / Math.max(8, Math.abs(c - d)), size = drag.view[1] - drag.view[0];
        const at = drag.view[0] + (a + b) / 2 / width * size;
        setView(at - (c + d) / 2 / width * size * scale, at - (c + d) / 2 / width * size * scale + size * scale);
      } else if (drag && drag.mode !== "pinch") {
        drag.now = px;
        if (Math.abs(px - drag.x) > 3) drag.isMoved = true;
        if (drag.mode === "move") { const by = (drag.x - px) / width * (drag.view[1] - drag.view[0]); setView(drag.view[0] + by, drag.view[1] + by); } else drawLanes();
      } else {
        const found = under(event);
        canvas.style.cursor = found && found.bar[3] ? "pointer" : "crosshair";
        $("lanes-say").textContent = found ? describe(found)[0] : span ? clock(view[0]) + " to " + clock(view[1]) + " (" + duration(view[1] - view[0]) + ")" : "";
      }
    });
    const done = (event) => {
      touches.delete(event.pointerId);
      const was = drag;
      drag = touches.size ? drag : null;
      if (!was || was.mode === "pinch") return;
      if (was.mode === "span" && was.isMoved && event.type === "pointerup") {
        const width = canvas.clientWidth, size = was.view[1] - was.view[0], [left, right] = [Math.min(was.x, was.now), Math.max(was.x, was.now)];
        setView(was.view[0] + left / width * size, was.view[0] + Math.max(right, left + 2) / width * size);
      } else if (!was.isMoved && event.type === "pointerup") {
        const found = under(event), item = found && describe(found)[1];
        if (item && list) { const at = all.findIndex((one) => one[2] === item[2] && one[3] === item[3]); if (at >= 0) { if (!shown.includes(at)) { $("search").value = ""; $("over").value = ""; $("show").value = item[2] === 0 ? "operations" : "all"; choose(); } $("conversation").scrollIntoView(); select(at); } }
      }
      drawLanes();
    };
    canvas.addEventListener("pointerup", done);
    canvas.addEventListener("pointercancel", done);
    canvas.addEventListener("dblclick", () => setView(...full));
    canvas.addEventListener("keydown", (event) => {
      const by = (view[1] - view[0]) / 5;
      const act = { "+": () => zoom(.5), "=": () => zoom(.5), "-": () => zoom(2), "0": () => setView(...full), Home: () => setView(...full), ArrowLeft: () => setView(view[0] - by, view[1] - by), ArrowRight: () => setView(view[0] + by, view[1] + by) }[event.key];
      if (act) { event.preventDefault(); act(); }
    });
    new ResizeObserver(() => drawLanes()).observe(canvas.parentElement);
  }
}

// MARK: Charts

const SVG = "http://www.w3.org/2000/svg";
function shape(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  if (text !== undefined) element.textContent = text;
  return element;
}

function nice(least, most) {
  if (least === most) { least -= Math.abs(least) * .1 || 1; most += Math.abs(most) * .1 || 1; }
  const raw = (most - least) / 4, size = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 2.5, 5, 10].map((one) => one * size).find((one) => one >= raw * .999);
  const result = [];
  for (let at = Math.floor(least / step) * step; at < most + step * .999; at += step) result.push(+at.toPrecision(12));
  return result;
}

const charts = [];
// Lines over time. series: [[name, [[time, value]…]]…]
function lines({ title, note, series, unit, isStep, fromZero, full: isFull }) {
  const points = series.flatMap((one) => one[1]);
  if (!points.length) return;
  const caption = make("figcaption", {}, safe(title)), say = make("small", {}, note || "");
  caption.append(say);
  const figure = make("figure", { class: isFull ? "full" : null }), svg = shape("svg", { role: "img", "aria-label": safe(title + (note ? ": " + note : "")) });
  figure.append(caption, svg);
  $("figures").append(figure);
  let least = fromZero ? 0 : Infinity, most = -Infinity;
  for (const [, value] of points) { least = Math.min(least, value); most = Math.max(most, value); }
  const marks = nice(least, most), low = marks[0], high = marks[marks.length - 1];
  const height = isFull ? 170 : 130, left = 46, right = 6, top = 8, bottom = 20;
  let plot = null;
  charts.push(() => {
    const width = Math.max(120, figure.clientWidth);
    svg.replaceChildren();
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("height", height);
    const x = (time) => left + time / full[1] * (width - left - right), y = (value) => top + (high - value) / (high - low) * (height - top - bottom);
    plot = { x, y, width };
    for (const mark of marks) { svg.append(shape("line", { class: "axis", x1: left, x2: width - right, y1: y(mark), y2: y(mark) }), shape("text", { x: left - 6, y: y(mark) + 4, "text-anchor": "end" }, brief(mark))); }
    for (const [time, text] of ticks(0, full[1], Math.max(2, Math.floor(width / 130)))) svg.append(shape("text", { x: x(time), y: height - 5, "text-anchor": x(time) > width - 40 ? "end" : "middle" }, text));
    series.forEach(([, some], index) => {
      let path = "", open = false, before = null;
      for (const [time, value] of some) {
        if (value === null) { open = false; continue; }
        const px = x(time).toFixed(1), py = y(value).toFixed(1);
        path += open ? (isStep ? `H${px}V${py}` : `L${px} ${py}`) : `M${px} ${py}`;
        open = true; before = px;
      }
      if (isStep && before !== null) svg.append(shape("path", { class: "area" + (index ? " two" : ""), d: path + `V${y(Math.max(low, 0))}H${x(some[0][0])}Z` }));
      if (some.length === 1) svg.append(shape("circle", { class: "barr", cx: x(some[0][0]), cy: y(some[0][1]), r: 2.5 }));
      svg.append(shape("path", { class: "line" + (index ? " two" : ""), d: path }));
    });
  });
  svg.addEventListener("pointermove", (event) => {
    const time = (event.clientX - svg.getBoundingClientRect().left - left) / (plot.width - left - right) * full[1];
    svg.querySelectorAll(".cross").forEach((one) => one.remove());
    if (time < 0 || time > full[1]) { say.textContent = note || ""; return; }
    svg.append(shape("line", { class: "cross", x1: plot.x(time), x2: plot.x(time), y1: top, y2: height - bottom }));
    const texts = series.map(([name, some]) => {
      let low = 0, high = some.length - 1;
      while (low < high) { const middle = (low + high + 1) >> 1; if (some[middle][0] <= time) low = middle; else high = middle - 1; }
      return (name ? safe(name) + " " : "") + (some[low][1] === null ? "–" : number(some[low][1]) + " " + (unit || ""));
    });
    say.textContent = clock(time, 3) + (full[1] < 600e6 ? " s" : "") + "  " + texts.join(", ");
  });
  svg.addEventListener("pointerleave", () => { svg.querySelectorAll(".cross").forEach((one) => one.remove()); say.textContent = note || ""; });
}

function brief(value) {
  const size = Math.abs(value);
  return size >= 1e12 ? value.toExponential(1) : size >= 1e9 ? +(value / 1e9).toPrecision(3) + " G" : size >= 1e6 ? +(value / 1e6).toPrecision(3) + " M" : size >= 1e4 ? +(value / 1e3).toPrecision(3) + " k" : String(+value.toPrecision(4));
}

// How long answers took: one bar for each step of a logarithmic scale.
function histogram({ title, note, bins }) {
  const figure = make("figure", {}), caption = make("figcaption", {}, safe(title), make("small", {}, note)), svg = shape("svg", { role: "img", "aria-label": safe(title + ": " + note) });
  figure.append(caption, svg);
  $("figures").append(figure);
  const first = bins.findIndex((one) => one > 0), last = bins.length - 1 - [...bins].reverse().findIndex((one) => one > 0);
  const from = Math.max(0, first - 2), to = Math.min(bins.length, last + 3), most = Math.max(...bins), height = 130, left = 46, right = 6, top = 8, bottom = 20;
  charts.push(() => {
    const width = Math.max(120, figure.clientWidth), each = (width - left - right) / (to - from);
    svg.replaceChildren();
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("height", height);
    const y = (value) => top + (1 - value / most) * (height - top - bottom);
    for (const mark of [0, most]) svg.append(shape("line", { class: "axis", x1: left, x2: width - right, y1: y(mark), y2: y(mark) }), shape("text", { x: left - 6, y: y(mark) + 4, "text-anchor": "end" }, brief(mark)));
    let free = -Infinity;
    for (let at = from; at < to; at++) {
      const px = left + (at - from) * each;
      if (bins[at]) { const bar = shape("rect", { class: "barr", x: px + .5, width: Math.max(1, each - 1), y: y(bins[at]), height: y(0) - y(bins[at]) }); bar.append(shape("title", {}, bins[at] + " took " + duration(data.bin(at)) + " to " + duration(data.bin(at + 1)))); svg.append(bar); }
      if (at % 4 === 0 && px > free) { svg.append(shape("text", { x: px, y: height - 5 }, duration(data.bin(at)))); free = px + 60; }
    }
  });
}

data.bin = (at) => 100 * 10 ** (at / 8);
if ($("charts") && data.span > 0) {
  $("charts").hidden = false;
  const flow = data.throughput.map(([name, start, width, sums]) => [name, sums.flatMap((sum, at) => [[start + at * width, sum / width * 1e6]]).concat(sums.length ? [[Math.min(full[1], start + sums.length * width), 0]] : [])]);
  if (flow.some((one) => one[1].length)) {
    lines({ title: "Throughput, bytes a second", note: "", series: flow.filter((one) => one[1].length), unit: "B/s", isStep: true, fromZero: true, full: true });
    const caption = $("figures").lastElementChild.querySelector("figcaption");
    caption.insertBefore(make("span", { class: "note" }, "   ", make("span", { class: "key" }), "sent  ", make("span", { class: "key two" }), "received"), caption.lastChild);
  }
  for (const [label, bins, count, median, ninety, slowest] of data.waits ?? []) histogram({ title: "How long packets waited in the controller: " + label, note: number(count) + " packets, median " + duration(median) + ", 90 % within " + duration(ninety) + ", longest " + duration(slowest), bins });
  for (const [label, bins, count, median, ninety, slowest] of data.latency) histogram({ title: "How long answers took: " + label, note: number(count) + (count === 1 ? " answer" : " answers") + ", median " + duration(median) + ", 90 % within " + duration(ninety) + ", slowest " + duration(slowest), bins });
  for (const [name, count, start, width, means] of data.signals) lines({ title: "Signal of " + name, note: number(count) + (count === 1 ? " report" : " reports"), series: [["", means.flatMap((mean, at) => mean === null ? [] : [[start + (at + .5) * width, mean]])]], unit: "dBm" });
  for (const [source, path, unit, peer, count, least, most, points] of data.numbers) lines({ title: source + ": " + path + (unit ? ", " + unit : ""), note: (peer ? safe(peer) + ": " : "") + number(count) + " values, " + number(least) + " to " + number(most) + (unit ? " " + safe(unit) : ""), series: [["", points]], unit });
  if (!charts.length) { $("charts").hidden = true; document.querySelector('nav a[href="#charts"]')?.remove(); }
  new ResizeObserver(() => { for (const chart of charts) chart(); }).observe($("figures"));
}

function redraw() { drawLanes(); for (const chart of charts) chart(); draw(); }

// MARK: Links, places, print

function follow() {
  const match = /^#f(\d+)$/.exec(location.hash), kind = /^#k\d+$/.test(location.hash) && document.querySelector(location.hash);
  if (kind) { kind.open = true; kind.scrollIntoView({ block: "start" }); }
  if (match && list) goTo(+match[1]);
}
addEventListener("hashchange", follow);
document.addEventListener("click", (event) => {
  const target = event.target.closest && event.target.closest('a[href^="#f"]');
  // The same frame once more is no change of the address.
  if (target && /^#f\d+$/.test(target.getAttribute("href")) && target.getAttribute("href") === location.hash) follow();
});

const links = [...document.querySelectorAll("nav a")];
const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) for (const one of links) if (one.hash === "#" + entry.target.id) one.setAttribute("aria-current", "true"); else one.removeAttribute("aria-current");
}, { rootMargin: "-15% 0px -75% 0px" });
document.querySelectorAll("main > section").forEach((one) => seen.observe(one));

const MOST_PRINTED = 400;
function printList() {
  const printed = $("printed");
  if (!printed) return;
  printed.replaceChildren(...shown.slice(0, MOST_PRINTED).map((at) => {
    const fact = facts(all[at]);
    return make("li", { class: fact.look }, make("span", { class: "t" }, clock(fact.time)), make("span", { class: "f" }, "#" + fact.frame), make("span", {}, fact.way), make("span", {}, safe(fact.source)), make("span", { class: "what" }, safe(fact.hex || fact.text).slice(0, 300)));
  }));
  if (shown.length > MOST_PRINTED) printed.append(make("li", {}, make("span", {}), make("span", {}), make("span", {}), make("span", {}), make("span", { class: "note" }, "and " + number(shown.length - MOST_PRINTED) + " more, on the page itself")));
}
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open]):not(.definition)")];
  for (const one of opened) one.open = true;
  printList(); drawLanes(); for (const chart of charts) chart();
});
addEventListener("afterprint", () => { for (const one of opened) one.open = false; $("printed")?.replaceChildren(); redraw(); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => theme());

theme();
if (list) choose();
redraw();
follow();
document.body.dataset.ready = "true";
})();
