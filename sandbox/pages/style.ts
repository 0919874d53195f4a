/** One small style sheet for all pages, light or dark as the system is. */
import { Hono } from 'hono';

const CSS = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --paper: #fff; --ground: #f3f5f8; --line: #d7dde5;
  --blue: #1f56b3; --blue-ink: #fff; --green: #17693a; --green-ground: #e2f5e9; --red: #a3232c; --red-ground: #fbe7e8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #a2adbb; --paper: #1b222c; --ground: #11161d;
  --line: #36404d; --blue: #7fb0ff; --blue-ink: #0c1626; --green: #86d9a5; --green-ground: #16301f; --red: #ff9ca3;
  --red-ground: #3b1a1d; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
header { background: var(--paper); border-bottom: 1px solid var(--line); padding: .6rem 1rem; display: flex; gap: 1.25rem;
  flex-wrap: wrap; align-items: baseline; }
header strong { font-size: 1.05rem; }
main { max-width: 72rem; margin: 0 auto; padding: 1rem; }
main.narrow { max-width: 46rem; }
h1 { font-size: 1.5rem; margin: .5rem 0 1rem; }
h2 { font-size: 1.1rem; margin: 0 0 .75rem; }
a { color: var(--blue); }
section > :first-child { margin-top: 0; }
section > :last-child { margin-bottom: 0; }
td ol { margin: 0; padding-left: 1.2rem; }
section { background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem; margin: 0 0 1rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; padding: .4rem .6rem .4rem 0; border-top: 1px solid var(--line); vertical-align: top; }
th { border-top: 0; color: var(--soft); font-weight: 600; }
td form { display: inline; }
code, pre { font: .88em/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; margin: 0; }
button, .button { font: inherit; font-weight: 600; padding: .55rem 1.1rem; border-radius: .45rem; border: 1px solid var(--blue);
  background: var(--blue); color: var(--blue-ink); cursor: pointer; text-decoration: none; display: inline-block; }
button.quiet, .button.quiet { background: transparent; color: var(--ink); border-color: var(--soft); }
button.small { padding: .1rem .55rem; font-size: .85rem; font-weight: 500; margin: 0 .15rem .25rem 0; }
:focus-visible { outline: 3px solid var(--blue); outline-offset: 2px; }
label { display: block; font-weight: 600; margin: .5rem 0 .2rem; }
input, select, textarea { font: inherit; width: 100%; padding: .45rem .6rem; border: 1px solid var(--soft); border-radius: .4rem;
  background: var(--paper); color: var(--ink); }
.fields { display: grid; gap: 0 .75rem; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); align-items: end; }
.badge { display: inline-block; padding: 0 .5rem; border-radius: 1rem; border: 1px solid var(--line); font-size: .85rem; }
.good { background: var(--green-ground); color: var(--green); border-color: currentColor; }
.bad { background: var(--red-ground); color: var(--red); border-color: currentColor; }
.note { padding: .75rem 1rem; border-radius: .5rem; border: 1px solid; margin: 0 0 1rem; }
.soft { color: var(--soft); }
.amount { font-size: 2.2rem; font-weight: 700; margin: 0; }
.document { width: 100%; height: 65vh; min-height: 22rem; border: 1px solid var(--line); border-radius: .4rem; background: #fff; }
.row { display: flex; gap: .75rem; flex-wrap: wrap; align-items: center; margin-top: .75rem; }
`;

export function styleSheet(): Hono {
  const app = new Hono();
  app.get('/sandbox.css', (c) => c.body(CSS.trim(), 200, { 'Content-Type': 'text/css; charset=utf-8' }));
  // Browsers ask for it unasked; an answer keeps their consoles quiet.
  app.get('/favicon.ico', (c) => c.body(null, 204));
  return app;
}
