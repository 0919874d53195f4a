/** Unicode's bidirectional algorithm: in which order letters are seen, and which brackets look the other way. */
import bidi from 'bidi-js';

// Its types describe another module than Node loads.
export const ORDER = (bidi as unknown as typeof bidi.default)();
