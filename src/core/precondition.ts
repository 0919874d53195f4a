/**
 * What a caller last saw may have been changed by somebody else since. A precondition is told what is there in the
 * transaction of the change, and throws when it is not what the caller meant; then nothing is changed.
 */
export type Precondition<T> = (current: T) => void;
