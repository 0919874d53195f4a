/** /api/docs.jsonld: the classes of the API, their properties and operations, as hydra clients parse them. */
import {
  entryName,
  vocabularyOf,
  bodyOf,
  itemPath,
  listedOf,
  operationsOn,
  propertiesOf,
  type Property,
} from './properties.js';
import type { JsonSchema } from './json-schema.js';
import { API_ABOUT, API_TITLE, type Answer, type Resource } from './operation.js';
import type { DocumentedRoute, Survey } from './survey.js';

export function hydraClassesOf(survey: Survey, baseUrl: string) {
  return {
    '@context': contextOf(baseUrl),
    '@id': '/api/docs.jsonld',
    '@type': 'hydra:ApiDocumentation',
    'hydra:title': API_TITLE,
    'hydra:description': API_ABOUT,
    'hydra:entrypoint': '/api',
    'hydra:supportedClass': [
      ...survey.resources.map((resource) => classOf(resource, survey)),
      entrypointClass(survey),
      ...VIOLATION_CLASSES,
    ],
  };
}

function contextOf(baseUrl: string) {
  const iri = (id: string) => ({ '@id': id, '@type': '@id' });
  return {
    '@vocab': vocabularyOf(baseUrl),
    hydra: 'http://www.w3.org/ns/hydra/core#',
    rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
    rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
    xmls: 'http://www.w3.org/2001/XMLSchema#',
    owl: 'http://www.w3.org/2002/07/owl#',
    schema: 'https://schema.org/',
    'hydra:entrypoint': { '@type': '@id' },
    domain: iri('rdfs:domain'),
    range: iri('rdfs:range'),
    subClassOf: iri('rdfs:subClassOf'),
    expects: iri('hydra:expects'),
    returns: iri('hydra:returns'),
  };
}

function classOf(resource: Resource, survey: Survey) {
  return {
    '@id': `#${resource.type}`,
    '@type': 'hydra:Class',
    'hydra:title': resource.type,
    'hydra:description': resource.about,
    'hydra:supportedProperty': propertiesOf(resource, survey.routes).map((property) =>
      memberOf(resource, property, survey.resources),
    ),
    'hydra:supportedOperation': operationsOn(itemPath(resource), survey.routes).map(supportedOperation),
  };
}

function memberOf({ type }: Resource, member: Property, resources: readonly Resource[]) {
  const { name, schema, isRequired } = member;
  const target = resources.find(({ path }) => path === schema['x-collection']);
  const property = {
    '@type': target ? 'hydra:Link' : 'rdf:Property',
    range: target ? `#${target.type}` : datatypeOf(schema),
  };
  return {
    ...supportedProperty(type, name, property, member),
    ...(schema.description && { 'hydra:description': schema.description }),
    'hydra:required': isRequired,
  };
}

const READ_ONLY = { isReadable: true, isWriteable: false };

function supportedProperty(
  type: string,
  name: string,
  property: object,
  { isReadable, isWriteable } = READ_ONLY,
) {
  return {
    '@type': 'hydra:SupportedProperty',
    'hydra:property': { '@id': `#${type}/${name}`, domain: `#${type}`, ...property },
    'hydra:title': name,
    'hydra:readable': isReadable,
    // API Platform spells it with an e, hydra without.
    'hydra:writeable': isWriteable,
    'hydra:writable': isWriteable,
  };
}

function datatypeOf({ type, format, anyOf }: JsonSchema): string {
  if (anyOf) return datatypeOf(anyOf.find((each) => each.type !== 'null') ?? {});
  if (format === 'date-time') return 'xmls:dateTime';
  return DATATYPES[type ?? 'string'] ?? 'xmls:string';
}

const DATATYPES: Record<string, string> = {
  integer: 'xmls:integer',
  number: 'xmls:decimal',
  boolean: 'xmls:boolean',
  array: 'xmls:array',
};

function entrypointClass(survey: Survey) {
  return {
    '@id': '#Entrypoint',
    '@type': 'hydra:Class',
    'hydra:title': 'Entrypoint',
    'hydra:supportedProperty': listedOf(survey).map((resource) =>
      supportedProperty('Entrypoint', entryName(resource), {
        '@type': 'hydra:Link',
        'rdfs:range': [{ '@id': 'hydra:Collection' }, membersAre(resource)],
        'hydra:supportedOperation': operationsOn(resource.path, survey.routes).map(supportedOperation),
      }),
    ),
    'hydra:supportedOperation': [
      {
        '@type': 'hydra:Operation',
        'hydra:method': 'GET',
        'hydra:title': 'Reads the entrypoint',
        'rdfs:label': 'Reads the entrypoint',
        returns: '#Entrypoint',
      },
    ],
  };
}

function membersAre({ type }: Resource) {
  return {
    'owl:equivalentClass': {
      'owl:onProperty': { '@id': 'hydra:member' },
      'owl:allValuesFrom': { '@id': `#${type}` },
    },
  };
}

const VIOLATION_CLASSES = [
  violationClass('ConstraintViolation', { propertyPath: 'xmls:string', message: 'xmls:string' }),
  {
    ...violationClass('ConstraintViolationList', { violations: '#ConstraintViolation' }),
    subClassOf: 'hydra:Error',
  },
];

/** `ranges` by the names of its members. */
function violationClass(type: string, ranges: Record<string, string>) {
  return {
    '@id': `#${type}`,
    '@type': 'hydra:Class',
    'hydra:title': type,
    'hydra:supportedProperty': Object.entries(ranges).map(([name, range]) =>
      supportedProperty(type, name, { '@type': 'rdf:Property', range }),
    ),
  };
}

function supportedOperation({ method, operation }: DocumentedRoute) {
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
