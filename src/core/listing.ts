/** A page of a list: its rows, and how many there are on all pages (spec 4.6). */
export interface Listing<Row> {
  total: number;
  rows: Row[];
}

export interface PageOf {
  limit: number;
  offset: number;
}
