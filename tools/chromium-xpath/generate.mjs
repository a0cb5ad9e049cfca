// Questions made from a page's own words: a random walk over XPath's grammar (and over selectors), seeded by the
// page's digest, so that a page always gets the same questions.

/** mulberry32: small, seeded, good enough to walk a grammar. */
function randomSource(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    chance: (p) => next() < p,
    below: (n) => Math.floor(next() * n),
    pick: (list) => list[Math.floor(next() * list.length)],
  };
}

const AXES = [
  'child', 'descendant', 'parent', 'ancestor', 'following-sibling', 'preceding-sibling', 'following', 'preceding',
  'attribute', 'self', 'descendant-or-self', 'ancestor-or-self',
];
/** Axes whose cost is the page, not the neighbourhood. Their number is bounded: Chromium takes minutes for `//preceding::*`. */
const FAR = new Set(['descendant', 'following', 'preceding', 'descendant-or-self', 'ancestor', 'ancestor-or-self']);
const NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

function xpathGrammar(words, random) {
  const tags = words.tags.filter((name) => NAME.test(name));
  const common = ['a', 'div', 'li', 'p', 'span', 'td', 'tr', 'img'].filter((name) => tags.includes(name));
  const attributes = words.attributes.filter((name) => NAME.test(name));
  let far = 0;
  let innerFar = 0;

  const tag = () => {
    const name = common.length && random.chance(0.6) ? random.pick(common) : random.pick(tags);
    return random.chance(0.04) ? name.toUpperCase() : name;
  };
  const attribute = () => (attributes.length && random.chance(0.7) ? random.pick(attributes) : random.pick(['class', 'id', 'href']));
  const literal = (text) => (!text.includes("'") ? `'${text}'` : !text.includes('"') ? `"${text}"` : "'x'");
  const word = () => {
    const from = random.below(5);
    if (from === 0 && words.classes.length) return literal(random.pick(words.classes));
    if (from === 1 && words.ids.length) return literal(random.pick(words.ids));
    if (from === 2 && words.values.length) return literal(random.pick(words.values)[1]);
    if (words.texts.length) {
      const text = random.pick(words.texts);
      const start = random.below(Math.max(1, text.length - 3));
      return literal(text.slice(start, start + 1 + random.below(6)));
    }
    return literal(random.pick(['a', 'e', ' ', '']));
  };

  const nodeTest = (axis) => {
    if (axis === 'attribute') return random.chance(0.25) ? '*' : random.chance(0.05) ? 'node()' : attribute();
    const roll = random.below(20);
    if (roll < 11) return tag();
    if (roll < 15) return '*';
    if (roll < 17) return 'text()';
    if (roll < 19) return 'node()';
    return random.chance(0.7) ? 'comment()' : words.foreign.length ? random.pick(words.foreign) : 'nosuch';
  };
  const predicates = (depth) => {
    let out = '';
    for (let p = 0.45; depth > 0 && random.chance(p); p /= 2) out += `[${predicate(depth - 1)}]`;
    return out;
  };
  const step = (depth) => {
    const roll = random.below(20);
    if (roll === 0) return '.';
    if (roll === 1) return '..';
    if (roll < 11) return nodeTest('child') + predicates(depth);
    if (roll < 13) return `@${nodeTest('attribute')}${predicates(depth)}`;
    let axis = random.pick(AXES);
    const cost = axis === 'following' || axis === 'preceding' ? 2 : FAR.has(axis) ? 1 : 0;
    if (cost > far) axis = random.pick(['child', 'parent', 'self', 'following-sibling', 'preceding-sibling']);
    else far -= cost;
    return `${axis}::${nodeTest(axis)}${predicates(depth)}`;
  };
  const relative = (depth, most) => {
    let out = step(depth);
    for (let steps = random.below(most); steps > 0; steps--) {
      const deep = far > 0 && random.chance(0.25);
      if (deep) far -= 1;
      out += (deep ? '//' : '/') + step(depth);
    }
    return out;
  };
  const path = (depth, inner) => {
    const saved = far;
    far = inner ? innerFar : 2;
    let out;
    const roll = random.below(10);
    if (inner ? roll < 9 || far <= 0 : roll < 1) {
      const deep = inner && far > 0 && random.chance(0.2);
      if (deep) far -= 1;
      out = (deep ? './/' : '') + relative(depth, inner ? 2 : 4);
    } else if (roll === 9 && !inner) {
      out = `/${relative(depth, 4)}`;
    } else {
      far -= 1;
      out = `//${relative(depth, inner ? 2 : 4)}`;
    }
    if (inner) innerFar = far;
    far = saved;
    return out;
  };
  const nodeSet = (depth, inner) => {
    const roll = random.below(20);
    if (roll < 15 || depth <= 0) return path(depth, inner);
    if (roll < 17) return `${path(depth - 1, inner)} | ${path(depth - 1, inner)}`;
    if (roll < 19) return `(${path(depth - 1, inner)})[${predicate(depth - 1)}]${random.chance(0.3) ? `/${step(depth - 1)}` : ''}`;
    return words.ids.length ? `id(${literal(random.pick(words.ids))})${random.chance(0.5) ? `/${step(depth - 1)}` : ''}` : path(depth, inner);
  };
  const integer = () => String(random.pick([0, 1, 1, 1, 2, 2, 3, 4, 5, 7, 10, 25]));
  const number = (depth, inner) => {
    switch (random.below(depth > 0 ? 11 : 4)) {
      case 0: case 1: return integer();
      case 2: return random.chance(0.5) ? 'position()' : 'last()';
      case 3: return random.pick(['.5', '1.5', '-1', '2.', '0.25']);
      case 4: case 5: return `count(${nodeSet(depth - 1, inner)})`;
      case 6: return `string-length(${string(depth - 1, inner)})`;
      case 7: return `${number(depth - 1, inner)} ${random.pick(['+', '-', '*', 'div', 'mod'])} ${number(depth - 1, inner)}`;
      case 8: return `${random.pick(['floor', 'ceiling', 'round'])}(${number(depth - 1, inner)})`;
      case 9: return `number(${random.chance(0.5) ? string(depth - 1, inner) : boolean(depth - 1, inner)})`;
      default: return random.chance(0.7) ? `-${number(depth - 1, inner)}` : `sum(${nodeSet(depth - 1, inner)})`;
    }
  };
  const string = (depth, inner) => {
    switch (random.below(depth > 0 ? 11 : 2)) {
      case 0: case 1: return word();
      case 2: case 3: return `string(${nodeSet(depth - 1, inner)})`;
      case 4: return `normalize-space(${random.chance(0.4) ? '' : nodeSet(depth - 1, inner)})`;
      case 5: return `concat(${string(depth - 1, inner)}, ${string(depth - 1, inner)})`;
      case 6: return `substring(${string(depth - 1, inner)}, ${number(depth - 1, inner)}${random.chance(0.5) ? `, ${number(depth - 1, inner)}` : ''})`;
      case 7: return `${random.pick(['substring-before', 'substring-after'])}(${string(depth - 1, inner)}, ${word()})`;
      case 8: return `translate(${string(depth - 1, inner)}, ${word()}, ${word()})`;
      case 9: return `${random.pick(['name', 'local-name', 'namespace-uri'])}(${random.chance(0.4) ? '' : nodeSet(depth - 1, inner)})`;
      default: return `string(${boolean(depth - 1, inner)})`;
    }
  };
  const any = (depth, inner) => {
    const roll = random.below(8);
    return roll < 4 ? nodeSet(depth, inner) : roll < 6 ? string(depth, inner) : roll < 7 ? number(depth, inner) : boolean(depth, inner);
  };
  const boolean = (depth, inner) => {
    switch (random.below(depth > 0 ? 9 : 1)) {
      case 0: return random.pick(['true()', 'false()', '1 = 1', "'' = 0"]);
      case 1: case 2: return `${any(depth - 1, inner)} ${random.pick(['=', '!=', '<', '<=', '>', '>='])} ${any(depth - 1, inner)}`;
      case 3: return `${boolean(depth - 1, inner)} ${random.pick(['and', 'or'])} ${boolean(depth - 1, inner)}`;
      case 4: return `not(${any(depth - 1, inner)})`;
      case 5: case 6: return `contains(${string(depth - 1, inner)}, ${word()})`;
      case 7: return `starts-with(${string(depth - 1, inner)}, ${word()})`;
      default: return `boolean(${any(depth - 1, inner)})`;
    }
  };
  const predicate = (depth) => {
    const roll = random.below(16);
    if (roll < 3) return integer();
    if (roll < 4) return random.pick(['last()', 'last() - 1', 'position() = last()']);
    if (roll < 5) return `position() ${random.pick(['<', '>', '=', '!=', '<='])} ${integer()}`;
    if (roll < 7) return `@${attribute()}`;
    if (roll < 8 && words.values.length) {
      const [name, value] = random.pick(words.values);
      if (NAME.test(name)) return `@${name} = ${literal(value)}`;
    }
    if (roll < 10) return `contains(@class, ${words.classes.length ? literal(random.pick(words.classes)) : "'a'"})`;
    if (roll < 11) return `contains(., ${word()})`;
    if (roll < 13) return nodeSet(depth, true);
    if (roll < 15) return boolean(Math.max(depth, 1), true);
    return number(depth, true);
  };
  return () => {
    // A far axis in a predicate is the square of the page: small pages only.
    innerFar = words.nodes < 1500 ? 1 : 0;
    const roll = random.below(20);
    if (roll < 14) return nodeSet(3, false);
    if (roll < 16) return number(3, false);
    if (roll < 18) return string(3, false);
    return boolean(3, false);
  };
}

function cssGrammar(words, random) {
  const tags = words.tags.filter((name) => NAME.test(name));
  const classes = words.classes.filter((name) => NAME.test(name));
  const ids = words.ids.filter((name) => NAME.test(name));
  const values = words.values.filter(([name, value]) => NAME.test(name) && !/["\\\n\r\f]/.test(value));
  const nth = () => random.pick(['1', '2', '3', 'odd', 'even', '2n', '2n+1', '3n-1', '-n+2', 'n+3', '4n+2']);
  const attribute = () => {
    if (!values.length || random.chance(0.3)) return `[${random.pick(['class', 'id', 'href', 'title', 'alt'])}]`;
    const [name, value] = random.pick(values);
    const start = random.below(Math.max(1, value.length));
    const operator = random.pick(['=', '^=', '$=', '*=', '~=', '|=']);
    const part = { '=': value, '^=': value.slice(0, start + 1), '$=': value.slice(start), '*=': value.slice(start, start + 3), '~=': value.split(/\s+/)[0], '|=': value.split('-')[0] }[operator];
    return `[${name}${operator}"${random.chance(0.1) ? part.toUpperCase() : part}"${random.chance(0.1) ? ' i' : ''}]`;
  };
  const compound = (depth) => {
    let out = random.chance(0.65) ? random.pick(random.chance(0.5) ? tags : ['a', 'div', 'li', 'span', 'p', '*']) : '';
    if (classes.length && random.chance(0.3)) out += `.${random.pick(classes)}`;
    if (ids.length && random.chance(0.06)) out += `#${random.pick(ids)}`;
    if (random.chance(0.2)) out += attribute();
    if (random.chance(0.3)) out += pseudo(depth);
    return out || pseudo(depth);
  };
  const pseudo = (depth) => {
    const plain = [':first-child', ':last-child', ':only-child', ':first-of-type', ':last-of-type', ':only-of-type', ':empty', ':root'];
    const roll = random.below(depth > 0 ? 10 : 6);
    if (roll < 3) return random.pick(plain);
    if (roll < 6) return `:${random.pick(['nth-child', 'nth-last-child', 'nth-of-type', 'nth-last-of-type'])}(${nth()})`;
    if (roll === 6) return `:${random.pick(['nth-child', 'nth-last-child'])}(${nth()} of ${complex(depth - 1, 1)})`;
    if (roll === 7) return `:not(${list(depth - 1)})`;
    if (roll === 8) return `:${random.pick(['is', 'where'])}(${list(depth - 1)})`;
    // :has() does not nest in Chromium; what is below it gets no function at all.
    return `:has(${random.pick(['', '', '> ', '+ ', '~ '])}${complex(0, 2)})`;
  };
  const complex = (depth, most) => {
    let out = compound(depth);
    for (let more = random.below(most); more > 0; more--) out += random.pick([' ', ' ', ' > ', ' + ', ' ~ ']) + compound(depth);
    return out;
  };
  const list = (depth) => Array.from({ length: 1 + random.below(2) }, () => complex(depth, 2)).join(', ');
  return () => (random.chance(0.1) ? `${complex(2, 3)}, ${complex(1, 2)}` : complex(2, 4));
}

/** Question lists of one page, each with how many of it to keep: XPath from the document, from elements, selectors. */
export function generate(words, seed) {
  const random = randomSource(seed);
  const xpath = xpathGrammar(words, random);
  const css = cssGrammar(words, random);
  const list = (most, question) => ({ most, questions: Array.from({ length: most * 3 }, question) });
  return [
    list(160, () => ({ kind: 'x', context: 0, expression: xpath() })),
    list(80, () => ({ kind: 'x', context: random.pick(words.contexts), expression: xpath() })),
    list(80, () => ({ kind: 'c', context: 0, expression: css() })),
  ];
}
