// Runs inside Chromium: parses a page, numbers its nodes, answers expressions. Everything here has a counterpart
// in crates/xpath/tests/it/chromium.rs; a change on one side is a change on the other.
//
// A node is named by its preorder rank (the document is 0; doctype, elements, texts and comments count; template
// contents do not), an attribute by its owner's rank and its name.
(() => {
  const NAMESPACES = {
    'http://www.w3.org/1999/xhtml': 'html',
    'http://www.w3.org/2000/svg': 'svg',
    'http://www.w3.org/1998/Math/MathML': 'math',
    'http://www.w3.org/1999/xlink': 'xlink',
    'http://www.w3.org/XML/1998/namespace': 'xml',
    'http://www.w3.org/2000/xmlns/': 'xmlns',
  };
  const namespaceOf = (uri) => (uri ? NAMESPACES[uri] ?? uri : '-');

  // The prefixes that Windrow declares by itself; any other is an error on both sides.
  const PREFIXES = {
    html: 'http://www.w3.org/1999/xhtml',
    xhtml: 'http://www.w3.org/1999/xhtml',
    svg: 'http://www.w3.org/2000/svg',
    math: 'http://www.w3.org/1998/Math/MathML',
    xlink: 'http://www.w3.org/1999/xlink',
    xml: 'http://www.w3.org/XML/1998/namespace',
  };
  const resolver = (prefix) => PREFIXES[prefix] ?? null;

  // Two 32-bit multiplicative hashes side by side, over UTF-16 units: 64 bits without BigInt.
  class Hash {
    a = 0x811c9dc5 | 0;
    b = 0x9747b28c | 0;
    unit(u) {
      this.a = Math.imul(this.a ^ u, 0x01000193);
      const b = Math.imul(this.b ^ u, 0x85ebca6b);
      this.b = b ^ (b >>> 13);
    }
    text(s) {
      for (let i = 0; i < s.length; i++) this.unit(s.charCodeAt(i));
    }
    hex() {
      const half = (n) => (n >>> 0).toString(16).padStart(8, '0');
      return half(this.a) + half(this.b);
    }
  }

  const escape = (s) => s.replace(/[\\\n\r\t]/g, (c) => ({ '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' })[c]);

  // One line a node: depth, kind, what it says. Adjacent texts are joined: Chromium cuts texts at 64 Ki units.
  function dump(document, emit) {
    const walk = (first, depth) => {
      for (let node = first; node; node = node.nextSibling) {
        switch (node.nodeType) {
          case 10:
            emit(`${depth} D ${escape(node.name)} "${escape(node.publicId)}" "${escape(node.systemId)}"\n`);
            break;
          case 1: {
            emit(`${depth} E ${namespaceOf(node.namespaceURI)} ${escape(node.localName)}\n`);
            for (const a of node.attributes) {
              emit(`${depth} A ${namespaceOf(a.namespaceURI)} ${escape(a.name)}=${escape(a.value)}\n`);
            }
            if (node.content instanceof DocumentFragment && node.localName === 'template') {
              emit(`${depth} F\n`);
              walk(node.content.firstChild, depth + 1);
            }
            walk(node.firstChild, depth + 1);
            break;
          }
          case 3:
          case 4: {
            let text = node.data;
            while (node.nextSibling?.nodeType === 3) {
              node = node.nextSibling;
              text += node.data;
            }
            emit(`${depth} T ${escape(text)}\n`);
            break;
          }
          case 8:
            emit(`${depth} C ${escape(node.data)}\n`);
            break;
          default:
            emit(`${depth} ? ${node.nodeType}\n`);
        }
      }
    };
    walk(document.firstChild, 0);
  }

  const state = {};

  // Parses with scripting off and nothing fetched; returns the tree's hash and size.
  function load(text) {
    const document = new DOMParser().parseFromString(text, 'text/html');
    document.normalize(); // joins the texts Chromium cut at 64 Ki units
    const hash = new Hash();
    dump(document, (line) => hash.text(line));
    const ranks = new Map([[document, 0]]);
    const nodes = [document];
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
    while (walker.nextNode()) {
      ranks.set(walker.currentNode, nodes.length);
      nodes.push(walker.currentNode);
    }
    Object.assign(state, { document, ranks, nodes });
    return { tree: hash.hex(), nodes: nodes.length, mode: document.compatMode };
  }

  // The tree as text, for finding out where two trees part.
  function outline() {
    const lines = [];
    dump(state.document, (line) => lines.push(line));
    return lines.join('');
  }

  // The order of an element's attributes is nobody's business in XPath, and Chromium's differs from one expression to
  // the next: here they come as the element has them, behind it.
  function inOrder(nodes) {
    const key = (node) =>
      node.nodeType === 2
        ? [state.ranks.get(node.ownerElement), 1 + [...node.ownerElement.attributes].indexOf(node)]
        : [state.ranks.get(node), 0];
    if (!nodes.some((node) => node.nodeType === 2)) return nodes;
    const keyed = nodes.map((node) => [key(node), node]);
    keyed.sort(([[a, i]], [[b, j]]) => a - b || i - j);
    return keyed.map(([, node]) => node);
  }

  // What a node-set is recorded as: its size, a hash of its nodes, a hash of the first string values.
  const VALUES = 16;
  const VALUE_UNITS = 256;
  function nodeSet(found) {
    const nodes = inOrder(found);
    const which = new Hash();
    const values = new Hash();
    nodes.forEach((node, index) => {
      const attribute = node.nodeType === 2;
      const rank = state.ranks.get(attribute ? node.ownerElement : node) ?? 0xffffffff;
      which.unit(rank >>> 16);
      which.unit(rank & 0xffff);
      if (attribute) which.text(node.name);
      which.unit(0xffff);
      if (index < VALUES) {
        // node() selects the doctype, but it cannot be a context; its string value is empty.
        const value =
          node.nodeType === 10 ? '' : state.document.evaluate('string(.)', node, null, XPathResult.STRING_TYPE).stringValue;
        values.text(value.slice(0, VALUE_UNITS));
        values.unit(0xffff);
      }
    });
    return nodes.length === 0 ? 'n 0' : `n ${nodes.length} ${which.hex()} ${values.hex()}`;
  }

  function string(value) {
    if (value.length <= 40) return `s ${escape(value)}`;
    const hash = new Hash();
    hash.text(value);
    return `h ${value.length} ${hash.hex()}`;
  }

  function xpath(expression, context) {
    let result;
    try {
      result = state.document.evaluate(expression, context, resolver, XPathResult.ANY_TYPE);
    } catch (error) {
      return 'e';
    }
    switch (result.resultType) {
      case XPathResult.NUMBER_TYPE:
        return `f ${Object.is(result.numberValue, -0) ? '-0' : String(result.numberValue)}`;
      case XPathResult.STRING_TYPE:
        return string(result.stringValue);
      case XPathResult.BOOLEAN_TYPE:
        return `b ${result.booleanValue}`;
      default: {
        const ordered = state.document.evaluate(expression, context, resolver, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
        return nodeSet(Array.from({ length: ordered.snapshotLength }, (_, i) => ordered.snapshotItem(i)));
      }
    }
  }

  function css(selector) {
    try {
      return nodeSet([...state.document.querySelectorAll(selector)]);
    } catch (error) {
      return 'e';
    }
  }

  // Answers a list of {kind: 'x' | 'c', context, expression}. What takes longer than `limit` ms comes back as null.
  function answer(questions, limit) {
    return questions.map(({ kind, context, expression }) => {
      const start = performance.now();
      const result = kind === 'c' ? css(expression) : xpath(expression, state.nodes[context]);
      return performance.now() - start > limit ? null : result;
    });
  }

  // The page's own words, for the generator: capped, in document order, so the same page gives the same lists.
  function vocabulary() {
    const sets = { tags: new Set(), foreign: new Set(), attributes: new Set(), classes: new Set(), ids: new Set() };
    const values = new Map();
    const texts = [];
    const contexts = [];
    state.nodes.forEach((node, rank) => {
      if (node.nodeType === 1) {
        (node.namespaceURI === 'http://www.w3.org/1999/xhtml' ? sets.tags : sets.foreign).add(node.localName);
        for (const a of node.attributes) {
          sets.attributes.add(a.name);
          if (a.value.length < 40 && !values.has(a.name)) values.set(a.name, a.value);
        }
        for (const token of node.classList) sets.classes.add(token);
        if (node.id) sets.ids.add(node.id);
        contexts.push(rank);
      } else if (node.nodeType === 3 && !/^(script|style)$/.test(node.parentNode.localName)) {
        const text = node.data.trim();
        if (text.length > 1) texts.push(text.slice(0, 24));
      }
    });
    const spread = (list, most) => {
      const step = Math.max(1, list.length / most);
      return Array.from({ length: Math.min(most, list.length) }, (_, i) => list[Math.floor(i * step)]);
    };
    return {
      tags: [...sets.tags],
      foreign: [...sets.foreign],
      attributes: spread([...sets.attributes], 40),
      classes: spread([...sets.classes], 60),
      ids: spread([...sets.ids], 40),
      values: spread([...values], 40),
      texts: spread(texts, 60),
      contexts: spread(contexts, 60),
      nodes: state.nodes.length,
    };
  }

  window.oracle = { load, outline, answer, vocabulary };
})();
