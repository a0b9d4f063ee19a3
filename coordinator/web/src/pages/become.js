"use strict";

// Makes one element like another of the same kind.
const become = (old, fresh) => {
  for (const { name } of [...old.attributes]) {
    // What was opened stays open.
    if (name !== "open" && !fresh.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const before = [...old.childNodes];
  const after = [...fresh.childNodes];
  after.forEach((child, i) => {
    const kept = before[i];
    if (!kept) {
      old.append(document.importNode(child, true));
    } else if (kept.nodeName !== child.nodeName || kept.id !== child.id) {
      kept.replaceWith(document.importNode(child, true));
    } else if (kept.nodeType === Node.ELEMENT_NODE) {
      become(kept, child);
    } else if (kept.nodeValue !== child.nodeValue) {
      kept.nodeValue = child.nodeValue;
    }
  });
  before.slice(after.length).forEach((child) => child.remove());
};

