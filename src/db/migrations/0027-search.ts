/**
 * The search. Each request and each customer has one text of all that they are known by, indexed by its trigrams, so that
 * any part of a word is found. Two spaces before each word make one and two letters trigrams too: of its beginning.
 *
 * The views make the texts; the triggers take an old text out of the index and put the new one in. `secure-delete`
 * removes what is taken out from the file of the index at once. Detail `none` makes the index three times smaller; whether
 * the trigrams stand side by side is looked up in the text.
 */
const LETTERS: readonly (readonly [string, string])[] = [
  ['œ', 'oe'],
  ['Œ', 'oe'],
  ['æ', 'ae'],
  ['Æ', 'ae'],
  ['ø', 'o'],
  ['Ø', 'o'],
  ['ß', 'ss'],
  ['ł', 'l'],
  ['Ł', 'l'],
  [' ', '  '],
];

const words = (...columns: string[]) =>
  LETTERS.reduce(
    (text, [letter, plain]) => `replace(${text}, '${letter}', '${plain}')`,
    columns.map((column) => `' ' || ${column}`).join(' || '),
  );

const CUSTOMER = ['u.firstName', 'u.lastName', 'u.username', "coalesce(u.phone, '')"];

const index = (name: string, view: string) => `
CREATE VIRTUAL TABLE ${name} USING fts5 (
  text, content = '${view}', content_rowid = 'id', tokenize = 'trigram remove_diacritics 1', detail = 'none'
);
INSERT INTO ${name} (${name}) VALUES ('rebuild');`;

const takeOut = (name: string, view: string, which: string) =>
  `INSERT INTO ${name} (${name}, rowid, text) SELECT 'delete', id, text FROM ${view} WHERE ${which};`;

const putIn = (name: string, view: string, which: string) =>
  `INSERT INTO ${name} (rowid, text) SELECT id, text FROM ${view} WHERE ${which};`;

const requestsOut = (which: string) => takeOut('requestWords', 'requestTexts', which);
const requestsIn = (which: string) => putIn('requestWords', 'requestTexts', which);
const customersOut = (which: string) => takeOut('customerWords', 'customerTexts', which);
const customersIn = (which: string) => putIn('customerWords', 'customerTexts', which);

/** Whether one of these columns really changes. */
const changes = (...columns: string[]) =>
  `WHEN ${columns.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ')}`;

const OF_USERS = ['firstName', 'lastName', 'username', 'phone'];
const OF_REQUESTS = ['title', 'ownerId', 'equipmentId'];

export const sql = `
DROP TRIGGER requestTitleAdded;
DROP TRIGGER requestTitleChanged;
DROP TRIGGER requestTitleRemoved;
DROP TABLE requestTitles;

CREATE VIEW customerTexts AS SELECT u.id, ${words(...CUSTOMER)} AS text FROM users u;
CREATE VIEW requestTexts AS
  SELECT r.id, r.ownerId, r.equipmentId, ${words('r.title', 'e.serialNumber', ...CUSTOMER)} AS text
  FROM requests r CROSS JOIN users u ON u.id = r.ownerId CROSS JOIN equipments e ON e.id = r.equipmentId;
${index('customerWords', 'customerTexts')}
${index('requestWords', 'requestTexts')}

CREATE TRIGGER customerWordsAdded AFTER INSERT ON users BEGIN ${customersIn('id = NEW.id')}
END;
CREATE TRIGGER customerWordsRemoved BEFORE DELETE ON users BEGIN ${customersOut('id = OLD.id')}
END;
CREATE TRIGGER customerWordsBefore BEFORE UPDATE OF ${OF_USERS.join()} ON users ${changes(...OF_USERS)}
BEGIN ${customersOut('id = OLD.id')} ${requestsOut('ownerId = OLD.id')}
END;
CREATE TRIGGER customerWordsAfter AFTER UPDATE OF ${OF_USERS.join()} ON users ${changes(...OF_USERS)}
BEGIN ${customersIn('id = NEW.id')} ${requestsIn('ownerId = NEW.id')}
END;

CREATE TRIGGER equipmentWordsBefore BEFORE UPDATE OF serialNumber ON equipments ${changes('serialNumber')}
BEGIN ${requestsOut('equipmentId = OLD.id')}
END;
CREATE TRIGGER equipmentWordsAfter AFTER UPDATE OF serialNumber ON equipments ${changes('serialNumber')}
BEGIN ${requestsIn('equipmentId = NEW.id')}
END;

CREATE TRIGGER requestWordsAdded AFTER INSERT ON requests BEGIN ${requestsIn('id = NEW.id')}
END;
CREATE TRIGGER requestWordsRemoved BEFORE DELETE ON requests BEGIN ${requestsOut('id = OLD.id')}
END;
CREATE TRIGGER requestWordsBefore BEFORE UPDATE OF ${OF_REQUESTS.join()} ON requests ${changes(...OF_REQUESTS)}
BEGIN ${requestsOut('id = OLD.id')}
END;
CREATE TRIGGER requestWordsAfter AFTER UPDATE OF ${OF_REQUESTS.join()} ON requests ${changes(...OF_REQUESTS)}
BEGIN ${requestsIn('id = NEW.id')}
END;
`;
