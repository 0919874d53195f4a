/** The dark theme's values, used twice, because a page without scripts follows the system. */
export const DARK =
  '--shade: #14181d; --paper: #1b2026; --brand: #6fcfc5; --tint: #123132; --deep: #126159; --deeper: #0f524b; ' +
  '--bs-secondary-color: #b9bec4; --bs-danger-text-emphasis: #f1aeb5;';

/** The back office's styles on top of Bootstrap: page frame and dense lists. */
export const STYLE = `
:root { --side: 15rem; --shade: #f5f6f7; --paper: #fff; --brand: #0b5c56; --tint: #ebf5f3; --bs-secondary-color: #4b5055; --deep: #0b5c56; --deeper: #08443f; }
[data-bs-theme="dark"] { ${DARK} }
body { background: var(--shade); min-height: 100vh; }
a { color: var(--brand); }
a:hover { color: var(--bs-emphasis-color); }
:focus-visible { outline: 3px solid var(--brand); outline-offset: 2px; }
main:focus { outline: 0; }
h1 { font-size: 1.5rem; font-weight: 650; letter-spacing: -.01em; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1rem; font-weight: 650; margin: 0; }
.bi { width: 1em; height: 1em; vertical-align: -.125em; flex: none; }
code { color: inherit; font-size: .875em; overflow-wrap: anywhere; }
time { white-space: nowrap; }
.num { font-variant-numeric: tabular-nums; }
.any { overflow-wrap: anywhere; }
.some { overflow-wrap: break-word; }
.pre { white-space: pre-wrap; overflow-wrap: anywhere; }

.skip { position: absolute; z-index: 9; left: .5rem; top: .5rem; padding: .5rem 1rem; background: var(--paper); }
.shell { display: grid; grid-template-columns: minmax(0, 1fr); }
.side { display: grid; grid-template-columns: 1fr auto; align-items: center; gap: .25rem .75rem; padding: .6rem 1rem 0;
  background: var(--paper); border-bottom: 1px solid var(--bs-border-color); }
.brand { display: flex; align-items: center; gap: .5rem; font-weight: 650; color: var(--brand); text-decoration: none; min-width: 0; }
.brand span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; line-height: 1.25; }
.top { display: flex; align-items: center; gap: .25rem; min-width: 0; }
.needs { padding: .25rem .4rem; line-height: 1; text-decoration: none; }
.find { grid-column: 1 / -1; grid-row: 2; display: flex; gap: .35rem; }
.find input { min-width: 0; }
.side nav { grid-column: 1 / -1; grid-row: 3; overflow-x: auto; margin: 0 -1rem; padding: .35rem 1rem .5rem; }
.side nav ul { display: flex; gap: .15rem; list-style: none; margin: 0; padding: 0; }
.side nav a { display: flex; align-items: center; gap: .6rem; padding: .4rem .7rem; border-radius: .5rem; white-space: nowrap;
  color: var(--bs-body-color); text-decoration: none; }
.side nav a:hover { background: var(--bs-tertiary-bg); }
.side nav a[aria-current] { background: var(--tint); color: var(--brand); font-weight: 600; }
.side nav .badge { margin-left: auto; }
.account { display: flex; align-items: center; gap: .5rem; }
.account .who { display: flex; align-items: center; padding: .35rem; font-size: 1.25rem; color: var(--bs-body-color); text-decoration: none; }
.account .who > span, .account .words { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
main { padding: 1rem; min-width: 0; }
.page { max-width: 78rem; margin: 0 auto; display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); }
.head { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; }
@media (min-width: 992px) {
  .shell { grid-template-columns: var(--side) minmax(0, 1fr); }
  .side { position: sticky; top: 0; height: 100vh; display: flex; flex-direction: column; align-items: stretch; gap: 1rem;
    padding: 1.25rem .9rem 1rem; border-bottom: 0; border-right: 1px solid var(--bs-border-color); overflow-y: auto; }
  .top { align-items: start; }
  .top .needs { margin-left: auto; }
  .brand { padding: 0 .7rem; }
  .brand span { white-space: normal; overflow-wrap: anywhere; }
  .find { padding: 0 3px; }
  .side nav { margin: 0; padding: 3px; flex: 1; overflow: visible; }
  .side nav ul { flex-direction: column; }
  .account { flex-direction: column; align-items: stretch; gap: .6rem; padding: 1rem .2rem 0; border-top: 1px solid var(--bs-border-color); }
  .account .btn-group { display: flex; }
  .account .who { gap: .5rem; padding: 0 .5rem; font-size: .875rem; }
  .account .who > span, .account .words { position: static; width: auto; height: auto; min-width: 0; clip-path: none; white-space: normal; overflow-wrap: anywhere; }
  main { padding: 1.75rem 2rem 3rem; }
}

.card { background: var(--paper); border-radius: .75rem; --bs-card-cap-bg: transparent; overflow: hidden; }
.card-header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .25rem 1rem; padding: .8rem 1rem; }
.table { --bs-table-bg: transparent; margin: 0; }
.table > :not(caption) > * > * { padding: .55rem 1rem; }
.table th { font-size: .8rem; font-weight: 600; color: var(--bs-secondary-color); white-space: nowrap; }
.table td { vertical-align: middle; }
@media (min-width: 768px) { .table .btn { white-space: nowrap; } }
.sort { color: inherit; text-decoration: none; }
.sort:hover, .sort.now { color: var(--bs-emphasis-color); }
.sort:hover { text-decoration: underline; }
.sort .bi { margin-left: .1rem; opacity: .45; }
.sort.now .bi { opacity: 1; }
.sort-line { display: flex; flex-wrap: wrap; gap: .25rem .9rem; }
@media (min-width: 992px) { .sort-line { display: none; } }
.table tr:last-child > td { border-bottom: 0; }
.table .lead-cell { min-width: 10rem; }
.table .who-cell { max-width: 17rem; }
@media (max-width: 767.98px) { .table .lead-cell { width: 100%; max-width: 0; } }
.address { display: inline-block; max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; }
@media (max-width: 767.98px) { .address { white-space: normal; overflow-wrap: anywhere; } }
.facts .address { display: inline; white-space: normal; overflow-wrap: anywhere; }
.title { font-weight: 600; text-decoration: none; color: var(--bs-emphasis-color); overflow-wrap: anywhere; }
.title:hover { text-decoration: underline; }
.soft { color: var(--bs-secondary-color); }
.small { font-size: .875rem; }
.cap { display: inline-block; }
.cap::first-letter { text-transform: uppercase; }
.foot { margin: 0; font-size: .8rem; color: var(--bs-secondary-color); }
.empty { padding: 2rem 1rem; text-align: center; color: var(--bs-secondary-color); }

.state { display: inline-flex; align-items: center; gap: .4rem; padding: .1rem .6rem; border-radius: 1rem; border: 1px solid; font-size: .8rem;
  font-weight: 600; white-space: nowrap; }
.state::before { content: ""; width: .5em; height: .5em; border-radius: 50%; background: currentColor; }
.state-plain { color: var(--bs-secondary-color); border-color: var(--bs-border-color); background: var(--bs-tertiary-bg); }
.state-plain { color: var(--bs-body-color); }
.state-busy { color: var(--bs-info-text-emphasis); background: var(--bs-info-bg-subtle); border-color: var(--bs-info-border-subtle); }
.state-wait { color: var(--bs-warning-text-emphasis); background: var(--bs-warning-bg-subtle); border-color: var(--bs-warning-border-subtle); }
.state-good { color: var(--bs-success-text-emphasis); background: var(--bs-success-bg-subtle); border-color: var(--bs-success-border-subtle); }
.state-bad { color: var(--bs-danger-text-emphasis); background: var(--bs-danger-bg-subtle); border-color: var(--bs-danger-border-subtle); }

.tiles { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fill, minmax(6.6rem, 1fr)); }
.tile { display: block; padding: .75rem .9rem; font-size: .875rem; line-height: 1.35; background: var(--paper); border: 1px solid var(--bs-border-color); border-radius: .75rem;
  text-decoration: none; color: var(--bs-body-color); }
a.tile:hover { border-color: var(--brand); }
.tile b { display: block; font-size: 1.6rem; line-height: 1.2; font-weight: 650; font-variant-numeric: tabular-nums; color: var(--bs-emphasis-color); }
.tile.bad b { color: var(--bs-danger-text-emphasis); }
.trend { padding: 1rem; display: grid; gap: .6rem; }
.trend svg { width: 100%; max-height: 11rem; }
.trend line { stroke: var(--bs-border-color); }
.trend text { font-size: 11px; fill: var(--bs-secondary-color); }
.trend .made { fill: #8fa3ad; --dot: #8fa3ad; }
.trend .signed { fill: #2a8f86; --dot: #2a8f86; }
.trend .paid { fill: #c98a1b; --dot: #c98a1b; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: 0; padding: 0; font-size: .875rem; }
.legend li::before { content: ""; display: inline-block; width: .7em; height: .7em; margin-right: .45em; border-radius: 2px; background: var(--dot); }
.columns { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); align-items: start; }
.stack { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); align-content: start; }
@media (min-width: 1200px) {
  .columns.even { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .columns.wide { grid-template-columns: minmax(0, 7fr) minmax(0, 5fr); }
}

.tabs { display: flex; gap: .25rem; overflow-x: auto; padding: 3px; margin: -3px; list-style: none; }
.tabs a { display: block; padding: .35rem .8rem; border-radius: 2rem; white-space: nowrap; color: var(--bs-body-color); text-decoration: none;
  border: 1px solid transparent; }
.tabs a:hover { border-color: var(--bs-border-color); }
.tabs a[aria-current] { background: var(--bs-emphasis-color); color: var(--bs-body-bg); font-weight: 600; }
.filters { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; }
.filters .grow { flex: 1 1 16rem; }
.filters > div { flex: 1 1 9rem; min-width: 0; }
@media (min-width: 768px) { .filters > div:not(.grow) { flex: 0 1 auto; } }
.filters label { font-size: .8rem; font-weight: 600; color: var(--bs-secondary-color); margin-bottom: .15rem; }

.facts { display: grid; grid-template-columns: minmax(0, 1fr); gap: .6rem; margin: 0; padding: 1rem; }
.facts dt { font-size: .8rem; font-weight: 600; color: var(--bs-secondary-color); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
@media (min-width: 576px) {
  .facts > div { display: grid; grid-template-columns: 10rem minmax(0, 1fr); gap: .75rem; align-items: baseline; }
}
.actions { display: flex; flex-wrap: wrap; gap: .5rem; }
.actions .btn, .btn-icon { display: inline-flex; align-items: center; gap: .45rem; }

.findings { list-style: none; margin: 0; padding: 0; display: grid; gap: .5rem; }
.findings li { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; padding: .7rem 1rem; background: var(--paper); border: 1px solid var(--bs-border-color); border-left: 4px solid var(--bs-secondary-color);
  border-radius: .5rem; overflow-wrap: anywhere; }
.findings .waiting { border-left-color: var(--bs-warning); }
.findings .trouble { border-left-color: var(--bs-danger); }
.findings .calm { border-left-color: var(--bs-success); }

.timeline { list-style: none; margin: 0; padding: 1rem 1rem 1rem 1.1rem; }
.timeline li { position: relative; padding: 0 0 .7rem 1.4rem; line-height: 1.35; }
.timeline li::after { content: ""; position: absolute; left: -1px; top: .8rem; bottom: -.4rem; width: 2px; background: var(--bs-border-color); }
.timeline li:last-child { padding-bottom: 0; }
.timeline li:last-child::after { display: none; }
.timeline li::before { content: ""; position: absolute; z-index: 1; left: -.35rem; top: .4rem; width: .7rem; height: .7rem; border-radius: 50%;
  background: var(--bs-secondary-color); box-shadow: 0 0 0 3px var(--paper); }
.timeline li.good::before { background: var(--bs-success); }
.timeline li.bad::before { background: var(--bs-danger); }
.timeline li.ahead::before { background: var(--paper); box-shadow: inset 0 0 0 2px var(--bs-secondary-color), 0 0 0 3px var(--paper); }

.narrow { max-width: 26rem; margin: 0 auto; }
.medium { max-width: 40rem; }
.form-control, .form-select, .btn:not(.btn-sm) { min-height: 2.5rem; }
.form-check-input { width: 1.15em; height: 1.15em; border-color: var(--bs-secondary-color); }
.form-control:focus, .form-select:focus, .form-check-input:focus { border-color: var(--brand); box-shadow: 0 0 0 .2rem var(--tint); }
.form-check-input:checked { background-color: var(--deep); border-color: var(--deep); }
.btn-primary { --bs-btn-bg: var(--deep); --bs-btn-border-color: var(--deep); --bs-btn-hover-bg: var(--deeper); --bs-btn-hover-border-color: var(--deeper);
  --bs-btn-active-bg: var(--deeper); --bs-btn-active-border-color: var(--deeper); }
.pagination { --bs-pagination-color: var(--brand); --bs-pagination-hover-color: var(--brand); --bs-pagination-bg: var(--paper); }
.btn-outline-secondary { --bs-btn-color: var(--bs-body-color); --bs-btn-border-color: var(--bs-border-color);
  --bs-btn-active-bg: var(--bs-emphasis-color); --bs-btn-active-color: var(--bs-body-bg);
  --bs-btn-hover-bg: var(--bs-tertiary-bg); --bs-btn-hover-color: var(--bs-emphasis-color); --bs-btn-hover-border-color: var(--bs-secondary-color); }
.btn-danger { --bs-btn-bg: #a52834; --bs-btn-border-color: #a52834; --bs-btn-hover-bg: #842029; --bs-btn-hover-border-color: #842029;
  --bs-btn-active-bg: #842029; --bs-btn-active-border-color: #842029; }
.btn-outline-danger { --bs-btn-color: var(--bs-danger-text-emphasis); --bs-btn-border-color: var(--bs-danger-border-subtle);
  background: var(--paper); }
.btn-outline-primary { --bs-btn-color: var(--brand); --bs-btn-border-color: var(--brand); --bs-btn-hover-bg: var(--deep);
  --bs-btn-hover-border-color: var(--deep); background: var(--paper); }
.btn-outline-danger:hover, .btn-outline-primary:hover { background: var(--bs-btn-hover-bg); }
.alert { margin: 0; }
pre { margin: 0; padding: 1rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8125rem; }
.needs-script { display: none; }
[data-script] .needs-script { display: inline-flex; align-items: center; gap: .4rem; }
details > summary { cursor: pointer; min-height: 1.5rem; }
.findings li > :first-child { flex: 1 1 18rem; }
.timeline details ul { margin: .35rem 0 0; padding-left: 1rem; }
.timeline details li { padding: 0 0 .35rem; }
.timeline details li::before, .timeline details li::after { display: none; }
`;
