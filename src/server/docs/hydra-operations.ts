/** The operations of a class, as hydra clients parse them. */
import type { Answer } from './operation.js';
import { bodyOf } from './properties.js';
import type { DocumentedRoute } from './survey.js';

export function supportedOperation({ method, operation }: DocumentedRoute) {
  const { title, about, returns } = operation;
  return {
    '@type': ['hydra:Operation', `schema:${ACTIONS[method]}`],
    'hydra:method': method,
    'hydra:title': title,
    'rdfs:label': title,
    ...(about && { 'hydra:description': about }),
    ...(bodyOf(operation) && returns.resource && { expects: `#${returns.resource.type}` }),
    returns: classReturned(returns),
  };
}

const ACTIONS: Record<string, string> = {
  GET: 'FindAction',
  POST: 'CreateAction',
  PATCH: 'UpdateAction',
  PUT: 'ReplaceAction',
  DELETE: 'DeleteAction',
};

function classReturned({ status, resource, isCollection }: Answer): string {
  if (status === 204 || !resource) return 'owl:Nothing';
  return isCollection ? 'hydra:Collection' : `#${resource.type}`;
}
