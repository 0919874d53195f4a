/** Reads the application's routes: each operation with its steps' notes, and the resources shown. */
import type { Hono } from 'hono';
import type { Env } from '../../parts.js';
import { noteOf, type Note, type Operation, type Resource } from './operation.js';

export interface DocumentedRoute {
  method: string;
  /** With parameters as `{id}`. */
  path: string;
  operation: Operation;
  steps: Note[];
}

export interface Survey {
  routes: DocumentedRoute[];
  resources: Resource[];
}

export function surveyOf(app: Hono<Env>): Survey {
  const routes = stepsByRoute(app).flatMap(documentedRoute);
  const resources = new Set(routes.flatMap(({ operation }) => operation.returns.resource ?? []));
  return { routes, resources: [...resources].sort((a, b) => (a.type < b.type ? -1 : 1)) };
}

interface RouteSteps {
  method: string;
  path: string;
  steps: Note[];
}

/** Hono lists each step of a route separately, and those of `use` under the method ALL. */
function stepsByRoute(app: Hono<Env>): RouteSteps[] {
  const forAll: { pattern: string; note: Note }[] = [];
  const byRoute = new Map<string, RouteSteps>();
  for (const { method, path, handler } of app.routes) {
    const note = noteOf(handler);
    if (method === 'ALL') {
      forAll.push({ pattern: path, note });
      continue;
    }
    const before = forAll.filter(({ pattern }) => covers(pattern, path)).map((each) => each.note);
    const route = byRoute.get(`${method} ${path}`) ?? { method, path, steps: before };
    route.steps.push(note);
    byRoute.set(`${method} ${path}`, route);
  }
  return [...byRoute.values()];
}

/** As Hono matches: `/api/*` is `/api` too. */
function covers(pattern: string, path: string): boolean {
  return pattern.endsWith('/*') ? `${path}/`.startsWith(pattern.slice(0, -1)) : pattern === path;
}

function documentedRoute({ method, path, steps }: RouteSteps): DocumentedRoute[] {
  const operation = steps.find((step) => step.operation)?.operation;
  return operation ? [{ method, path: templateOf(path), operation, steps }] : [];
}

/** `/api/requests/:id{[0-9]+}` as `/api/requests/{id}`. */
export function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)(\{[^}]+\})?/g, '{$1}');
}
