/** The part that we use of a package without types: the line breaks that Unicode allows. */
declare module 'linebreak' {
  export default class LineBreaker {
    constructor(words: string);
    /** Each possible break, at last the end; null when there is no other. */
    nextBreak(): { position: number; required?: boolean } | null;
  }
}
