// Records Chromium's answers; see README.md.
//
//   node record.mjs [--corpus DIR] [--out DIR] [--dump DIR] [--trees-only] [--only SUBSTRING]

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { cssSelectors, xpathExpressions } from './expressions.mjs';
import { generate } from './generate.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const { values: options } = parseArgs({
  options: {
    corpus: { type: 'string', default: join(root, '../shared/corpus') },
    out: { type: 'string', default: join(root, 'testdata/xpath') },
    dump: { type: 'string' },
    only: { type: 'string' },
    'trees-only': { type: 'boolean', default: false },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
});

/** Answers slower than this are not recorded: they would time the replay, not judge it. */
const SLOWEST_MS = 250;

/** Hand-picked expressions that say the same on every page, or are errors, are asked of our own pages only. */
const REFERS_TO_PAGE = /[/@*]|\b(id|lang)\(/;
const rejected = new Set();

const escape = (s) => s.replace(/[\\\n\r\t]/g, (c) => ({ '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' })[c]);

/** Pages of the corpus by their path in it; our own, which are in the repository, as `own/NAME`. */
const own = join(root, 'testdata/xpath/pages');

/** UTF-8 with U+FFFD for what is malformed, no byte order mark: encodings are judged elsewhere. */
function read(path) {
  const bytes = readFileSync(path.startsWith('own/') ? join(own, path.slice(4)) : join(options.corpus, path));
  return { text: new TextDecoder('utf-8').decode(bytes), digest: createHash('sha256').update(bytes).digest('hex').slice(0, 16) };
}

const corpus = readdirSync(options.corpus, { recursive: true })
  .concat(readdirSync(own).map((name) => `own/${name}`))
  .filter((path) => path.endsWith('.html'))
  .filter((path) => !options.only || path.includes(options.only))
  .sort((a, b) => b.startsWith('own/') - a.startsWith('own/') || (a < b ? -1 : 1));
const sample = new Set(readFileSync(join(here, 'sample.txt'), 'utf8').split('\n').filter((line) => line && !line.startsWith('#')));

const script = readFileSync(join(here, 'browser.js'), 'utf8');
let server;
let version;
let page;
async function start() {
  server = await chromium.launchServer({
    executablePath: options.chromium,
    args: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  const browser = await chromium.connect(server.wsEndpoint());
  version = browser.version();
  page = await browser.newPage({ offline: true });
  await page.evaluate(script);
}

/** Ends the browser with all its processes: a renderer that is busy with an expression outlives a polite close. */
function stop() {
  try {
    process.kill(-server.process().pid, 'SIGKILL');
  } catch {
    server.process().kill('SIGKILL');
  }
}
await start();

/** Asks in small batches. A batch that hangs costs its answers and a fresh browser, not the recording. */
const BATCH = 16;
const HANGS_MS = 8_000;
async function ask(questions, text) {
  const answers = [];
  for (let at = 0; at < questions.length; at += BATCH) {
    const batch = questions.slice(at, at + BATCH);
    let timer;
    const hung = new Promise((resolve) => (timer = setTimeout(() => resolve(null), HANGS_MS)));
    const asked = page.evaluate(([batch, limit]) => oracle.answer(batch, limit), [batch, SLOWEST_MS]).catch(() => null);
    const results = await Promise.race([asked, hung]);
    clearTimeout(timer);
    answers.push(...(results ?? batch.map(() => null)));
    if (results === null) {
      process.stderr.write(`\nhung: one of ${JSON.stringify(batch.map(({ expression }) => expression))}\n`);
      stop();
      await start();
      await page.evaluate((text) => oracle.load(text), text);
    }
  }
  return answers;
}

const trees = [];
const answers = [];
const counts = { pages: 0, x: 0, c: 0, errors: 0, slow: 0 };
for (const [index, path] of corpus.entries()) {
  const { text, digest } = read(path);
  const loaded = await page.evaluate((text) => oracle.load(text), text);
  trees.push(`${path}\t${digest}\t${loaded.tree}\t${loaded.nodes}\n`);
  if (options.dump) {
    mkdirSync(options.dump, { recursive: true });
    writeFileSync(join(options.dump, path.replaceAll('/', '+')), await page.evaluate(() => oracle.outline()));
  }
  const isOwn = path.startsWith('own/');
  if (options['trees-only'] || !(isOwn || sample.has(path))) continue;

  const words = await page.evaluate(() => oracle.vocabulary());
  const chosen = [
    ...xpathExpressions.filter((expression) => isOwn || (REFERS_TO_PAGE.test(expression) && !rejected.has(expression))),
    ...cssSelectors.filter((selector) => isOwn || !rejected.has(selector)).map((selector) => ({ selector })),
  ].map((one) => ({ kind: one.selector === undefined ? 'x' : 'c', context: 0, expression: one.selector ?? one }));

  answers.push(`p\t${path}\t${digest}\n`);
  counts.pages += 1;
  const seen = new Set();
  const keep = ({ kind, context, expression }, result) => {
    const key = `${kind}${context} ${expression}`;
    if (seen.has(key)) return false;
    seen.add(key);
    if (result === null) {
      counts.slow += 1;
      return false;
    }
    counts[kind] += 1;
    if (result === 'e') {
      counts.errors += 1;
      if (isOwn) rejected.add(expression);
    }
    answers.push(`${kind}\t${context}\t${escape(expression)}\t${result}\n`);
    return true;
  };

  (await ask(chosen, text)).forEach((result, at) => keep(chosen[at], result));
  for (const { questions, most } of generate(words, parseInt(digest.slice(0, 8), 16))) {
    // Most random paths find nothing, and finding nothing proves little: such answers get a quarter of the places.
    let left = most;
    let empty = Math.floor(most / 4);
    (await ask(questions, text)).forEach((result, at) => {
      if (left === 0 || (result === 'n 0' && empty === 0)) return;
      if (!keep(questions[at], result)) return;
      left -= 1;
      if (result === 'n 0') empty -= 1;
    });
  }
  process.stderr.write(`\r${index + 1}/${corpus.length} ${JSON.stringify(counts)}   `);
}

const head = `# ${version} (Chromium), format 1\n`;
mkdirSync(options.out, { recursive: true });
const write = (name, lines) => {
  const packed = gzipSync(head + lines.join(''), { level: 9 });
  writeFileSync(join(options.out, name), packed);
  process.stderr.write(`\n${name}: ${packed.length} bytes\n`);
};
write('chromium-trees.tsv.gz', trees);
if (!options['trees-only']) write('chromium-answers.tsv.gz', answers);
process.stderr.write(`${JSON.stringify(counts)}\n`);
stop();
process.exit(0);
