/**
 * A noun as its lists show it, declared once: its fields, what it is filtered and ordered by, and who may read it. The list
 * pages of the back office, the list commands and the collections of the API are made from it; the queries stay behind `load`.
 */
import type { Db } from '../../db/db.js';
import type { Own, Part } from '../../db/page.js';
import type { Place, Direction, Listing, Order, TimeRange } from '../calls/listing.js';
import type { Data } from '../installation/data.js';
import type { IdSource } from '../installation/known-ids.js';
import type { Price } from '../settings/currencies.js';
import type { TONES } from './tones.js';
import type { Say, LabelKey } from '../texts/index.js';

export type State = keyof typeof TONES;

/** As it is stored. */
export type Value = string | number | boolean | null | readonly string[] | Readonly<Record<string, unknown>>;

/** How a field is shown. */
interface Look<Row, Name extends string> {
  kind: 'id' | 'text' | 'address' | 'time' | 'money' | 'state' | 'flag' | 'ref';
  /** Above its column on a terminal, where its name in words would mislead. */
  head?: string;
  /** What people read in its place. */
  words?: (row: Row, say: Say) => string;
  /** The page of what it names. */
  to?: (row: Row) => string | undefined;
  /** Below this width a page shows it under the first column. */
  fold?: 'md' | 'lg';
  /** A page shows it under this field, in small. */
  under?: Name;
  /** People read it in this field, which programs do not get. */
  partOf?: Name;
  /** A key or an address of no use to people. */
  forPrograms?: boolean;
  /** How a page writes a time; the moment by default. `since`: how long ago within a week, else the day. */
  time?: 'day' | 'ago' | 'since';
  /** What people see of a state, or of a flag. */
  state?: (row: Row) => State;
  /** The currency of an amount; undefined where there is no amount. */
  currency?: (row: Row) => string | null | undefined;
  /** Free words, which may fill the rest of a line. */
  isLong?: boolean;
  /** A name or a title: one line of a dense list, cut where it is too long. */
  isName?: boolean;
  /** Such words are never cut. */
  isWhole?: boolean;
  /** An address to be copied whole. */
  isLink?: boolean;
  isNumber?: boolean;
  /** Commands show the word that their options take. */
  isTyped?: boolean;
  /** Programs get its words too. */
  isSaid?: boolean;
}

interface Labelled {
  label: LabelKey;
}

interface Valued<Row> {
  /** As `--json` has it. */
  of: (row: Row) => Value;
}

export interface Field<Row, Name extends string = string> extends Look<Row, Name>, Labelled, Valued<Row> {}

/** As it is declared: it shows the member of its own name, under the label `list.<name>`, where it does not say otherwise. */
type Declared<Row, Name extends string, Own extends string> = Look<Row, Name> &
  Unless<Row extends Record<Own, Value> ? true : false, Valued<Row>> &
  Unless<`list.${Own}` extends LabelKey ? true : false, Labelled>;
type Unless<Known, Said> = Known extends true ? Partial<Said> : Said;

/** What a list may be narrowed by. The value is null, or an open span, where it is not asked for. */
export interface Filter<T> {
  kind: 'choice' | 'text' | 'flag' | 'ref' | 'span' | 'search';
  label: LabelKey;
  /** In English, for the help of a command and the documents of the API: what it finds. */
  about: string;
  /** Of a choice. */
  words?: readonly string[];
  /** Taken too, but too many to be shown. */
  others?: readonly string[];
  /** The key of the text of a word, without the word. */
  said?: string;
  /** Of a flag: the states that true and false are. */
  states?: readonly [isTrue: State, isFalse: State];
  /** Of a reference: the collection that it leads to. */
  collection?: RefTo;
  example?: string;
  /** Of words: what completion offers. */
  known?: IdSource;
  /** Carries the type. */
  value?: T;
}

/** `things`: what the history is about. */
export type RefTo = 'users' | 'requests' | 'webhooks' | 'equipments' | 'things';
export type Filters = Record<string, Filter<unknown>>;
export type Values<F extends Filters> = { [P in keyof F]: NonNullable<F[P]['value']> | Unasked<F[P]> };
type Unasked<F> = F extends Filter<TimeRange> ? never : null;

type Told = Pick<Filter<unknown>, 'label' | 'about'>;

/** One or several of these words. @public */
export function choice<const Word extends string>(
  words: readonly Word[],
  told: Told & Pick<Filter<unknown>, 'said' | 'others'>,
): Filter<readonly Word[]> {
  return { kind: 'choice', words, ...told };
}

/** A whole text, or several. */
export function text(told: Told & Pick<Filter<unknown>, 'example'>): Filter<readonly string[]> {
  return { kind: 'text', ...told };
}

/** @public */
export function flag(told: Told & Required<Pick<Filter<unknown>, 'states'>>): Filter<boolean> {
  return { kind: 'flag', ...told };
}

/** What belongs to one of these, or is about it. @public */
export function ref<T = number>(collection: RefTo, told: Told): Filter<readonly T[]> {
  return { kind: 'ref', collection, ...told };
}

/** From a time, inclusive, to another, exclusive. @public */
export function span(told: Told): Filter<TimeRange> {
  return { kind: 'span', ...told };
}

/** Words, or a key, as people type them. */
export function search(told: Told & Pick<Filter<unknown>, 'known'>): Filter<string> {
  return { kind: 'search', ...told };
}

interface Wanted<F extends Filters, By extends string> {
  filter: Values<F>;
  order: Order<By>;
  /** Only what this user owns; null: everything. */
  ownerId: number | null;
  limit: number;
}

/** A page with its number, or the rows behind a place. */
export type PageWanted<F extends Filters, By extends string> = Wanted<F, By> & { offset: number };
export type WalkWanted<F extends Filters, By extends string> = Wanted<F, By> & {
  past?: Place | undefined;
};

export interface Counted<Row> extends Listing<Row> {
  /** More match than are counted. */
  isCapped?: boolean;
  /** Of the amounts of all that match, whatever the part; only of what has amounts. */
  sums?: () => Price[];
}

export interface Reads<Row, F extends Filters, By extends string> {
  /** Walked behind the last row, so that none is met twice while others come. */
  walk: (data: Data, wanted: WalkWanted<F, By>) => Row[];
  /** Of what the API shows, or what is counted. */
  page?: (data: Pick<Data, 'db'>, wanted: PageWanted<F, By>) => Counted<Row>;
}

/** Of a noun whose pages have numbers. */
export type PagedReads<Row, F extends Filters, By extends string> = Reads<Row, F, By> &
  Required<Pick<Reads<Row, F, By>, 'page'>>;

/** What is read from a list of the database. `viewsOf`: its rows as the noun shows them. `sumsOf`: what they amount to. */
export function readsOf<F, By extends string, Row, View>(
  list: (db: Db, asked: Part<By> & { filter: F & Own; offset: number }) => Listing<Row>,
  through: (db: Db, asked: Part<By> & { filter: F & Own }) => Row[],
  viewsOf: (db: Db, rows: Row[]) => View[],
  sumsOf?: (db: Db, filter: F & Own) => Price[],
) {
  type Asked = Own & { filter: F; order: Order<By>; limit: number };
  const page = (
    { db }: Pick<Data, 'db'>,
    { filter: asked, ownerId, order, ...part }: Asked & { offset: number },
  ): Counted<View> => {
    const filter = { ...asked, ownerId };
    const { total, rows } = list(db, { filter, ...order, ...part });
    return { total, rows: viewsOf(db, rows), ...(sumsOf && { sums: () => sumsOf(db, filter) }) };
  };
  const walk = (
    { db }: Pick<Data, 'db'>,
    { filter, ownerId, order, ...part }: Asked & Pick<Part, 'past'>,
  ): View[] => viewsOf(db, through(db, { filter: { ...filter, ownerId }, ...order, ...part }));
  return { page, walk };
}

/** Of those that are shown as they are. */
export const asStored = <Row>(_: Db, rows: Row[]): Row[] => rows;

/** A noun on other things' pages and in their documents. */
export type Described<Row> = Pick<Resource<Row>, 'fields' | 'lead'> & Partial<Pick<Resource<Row>, 'spare'>>;

export interface Resource<Row, F extends Filters = Filters, By extends string = string> {
  /** What is counted: "3 users". */
  noun: string | readonly [one: string, many: string];
  fields: Record<string, Field<Row>>;
  /** Few enough, or asked for narrowly enough, to say how many there are. */
  isCounted?: boolean;
  /** Its amounts are prices a piece: their sum says nothing. */
  isTariff?: boolean;
  /** The field that says which thing a row is about. */
  lead: string;
  /** What a narrow terminal leaves out, the first of them first. */
  spare: readonly string[];
  filters: F;
  /** By which fields it is ordered, and in which direction at first; the first of them is the list's own. */
  orders: Record<By, Direction>;
  /** Of whose things a user of the API sees the list; the others are for administrators. */
  readers: 'owner' | 'administrator';
  /** So that a command loads no query for its help. */
  load: () => Promise<NoInfer<Reads<Row, F, By>>>;
}

/** Whatever names a field names one of these. */
interface Named<Row, Name extends string> {
  fields: { [Own in Name]: Declared<Row, NoInfer<Name>, Own> };
  lead: NoInfer<Name>;
  spare: readonly NoInfer<Name>[];
}

/** `declare<Row>()({ … })`: the rest is inferred. */
export function declare<Row>() {
  return <F extends Filters, Name extends string, By extends Name>(
    resource: Omit<Resource<Row, F, By>, 'fields'> & Named<Row, Name>,
  ): Resource<Row, F, By> => ({ ...resource, fields: whole(resource.fields) });
}

export function describe<Row>() {
  return <Name extends string>(
    noun: Omit<Described<Row>, 'fields'> &
      Omit<Named<Row, Name>, 'spare'> &
      Partial<Pick<Named<Row, Name>, 'spare'>>,
  ): Described<Row> => ({ ...noun, fields: whole(noun.fields) });
}

/** With what they do not say, as `Declared` has it. */
function whole<Row>(
  fields: Readonly<Record<string, Look<Row, string> & Partial<Labelled & Valued<Row>>>>,
): Record<string, Field<Row>> {
  const all = Object.entries(fields).map(([name, field]) => {
    const own = { label: `list.${name}` as LabelKey, of: (row: Row) => Reflect.get(Object(row), name) };
    return [name, { ...own, ...field }] as const;
  });
  return Object.fromEntries(all);
}

/** The same noun with some of its fields only, all of which people see. */
export function part<Row>(noun: Described<Row>, names: readonly string[]): Described<Row> {
  const fields = Object.entries(noun.fields).flatMap(([name, field]) =>
    names.includes(name) ? [[name, { ...field, forPrograms: false }] as const] : [],
  );
  return { ...noun, fields: Object.fromEntries(fields) };
}

// By what a list is ordered, as addresses and options name it.

/** How an order is asked for: `createdAt-desc`. */
export function orderWord({ by, direction }: Order<string>): string {
  return `${by}-${direction}`;
}

interface Ordered<By extends string> {
  orders: Record<By, Direction>;
}

export function orderWords<By extends string>({ orders }: Ordered<By>): string[] {
  return Object.keys(orders).flatMap((by) => [`${by}-asc`, `${by}-desc`]);
}

/** Of one of these words; the list's own where none is given. */
export function orderOf<By extends string>({ orders }: Ordered<By>, word?: string): Order<By> {
  const [own] = Object.entries(orders);
  const [by, direction] = word?.split('-') ?? own ?? [];
  return { by, direction } as Order<By>;
}
