// Small helpers for the document. What is set twice touches the page once.

/**
 * The first element that matches; there must be one.
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {any}
 */
export function find(selector, root = document) {
  const found = root.querySelector(selector);
  if (!found) throw new Error(`nothing matches ${selector}`);
  return found;
}

/** @param {string} selector @param {ParentNode} [root] @returns {any[]} */
export const all = (selector, root = document) => [...root.querySelectorAll(selector)];

/**
 * A new HTML element: element("p", {class: "soft", onclick: act}, "text", child).
 * Attributes that are false or undefined are left out; a function is listened with.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node|string)} children
 * @returns {any}
 */
export const element = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);

/**
 * The same for SVG.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node|string)} children
 * @returns {any}
 */
export const svg = (tag, attributes, ...children) =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

function filled(node, attributes = {}, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else set(node, name, value);
  }
  node.append(...children);
  return node;
}

/**
 * Sets an attribute if it changes; false and undefined remove it.
 * @param {Element} node
 * @param {string} name
 * @param {any} value
 */
export function set(node, name, value) {
  if (value === false || value === undefined || value === null) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else {
    const text = value === true ? "" : String(value);
    if (node.getAttribute(name) !== text) node.setAttribute(name, text);
  }
}

const written = new WeakMap();

/** Writes text if it changes. @param {Node} node @param {string} text */
export function write(node, text) {
  if (written.get(node) === text) return;
  written.set(node, text);
  node.textContent = text;
}

const styled = new WeakMap();

/**
 * Sets a style property (or --custom one) if it changes.
 * @param {any} node
 * @param {string} property
 * @param {string} value
 */
export function style(node, property, value) {
  const known = styled.get(node) ?? styled.set(node, {}).get(node);
  if (known[property] === value) return;
  known[property] = value;
  node.style.setProperty(property, value);
}

/**
 * Calls a drawing function at most once a screen refresh, with the latest value.
 * @template T
 * @param {(value: T) => void} draw
 * @returns {(value: T) => void}
 */
export function perRefresh(draw) {
  let waiting = false;
  let latest;
  return (value) => {
    latest = value;
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw(latest);
    });
  };
}
