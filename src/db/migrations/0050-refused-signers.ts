/**
 * Customers whom the signature provider would refuse: a letter of the name that is not in its list, or an address that is too long or
 * of another form. A request that is to be sent to one of them needs the office before a start fails. What exactly is wrong
 * core says (users/signer-fields.ts).
 */
const OTHER_LETTERS = `'*[^0-9A-Za-zĄÀÁÂÃÄÅÇĆÈÉÊËĘÌÍÎÏŁÑŃÒÓÔÕÖŚÙÚÛÜÝŹŻąàáâãäåæçćèéêëęìíîïłñńòóôõöśùúûüýÿźżßĀāĂăĈĉĊċČčĎďĐđĒēĔĕĖėĚěĜĝĞğĠġĢģĤĥĦħĨĩĪīĬĭĮįİıĲĳĴĵĶķĸĹĺĻļĽľĿŀŅņŇňŉŊŋŌōŎŏŐőŒœŔŕŖŗŘřŜŝŞşŠšŢţŤťŦŧŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŽžſøØÆȘșȚț\`''() -]*'`;

const isRefused = (name: string) => `${name} GLOB ${OTHER_LETTERS} OR ${name} <> trim(${name})`;

const REFUSED = `role = 'ROLE_USER' AND erasedAt IS NULL AND (
    ${isRefused('firstName')} OR ${isRefused('lastName')} OR
    length(username) > 100 OR username GLOB '*[^-a-z0-9_''+.@]*' OR username NOT GLOB '*@*.*')`;

const due = (which: string) => `
  UPDATE requests SET dueAt = (SELECT dueAt FROM requestsDue WHERE id = requests.id)
    WHERE ${which} AND (status = 'new' OR status = 'in_progress')
      AND dueAt IS NOT (SELECT dueAt FROM requestsDue WHERE id = requests.id);`;

export const sql = `
CREATE INDEX usersRefused ON users (id) WHERE ${REFUSED};
CREATE VIEW refusedSigners AS SELECT * FROM users WHERE ${REFUSED};

DROP VIEW requestsDue;
CREATE VIEW requestsDue AS
  SELECT r.id,
    CASE
      WHEN r.status = 'new' OR r.status = 'in_progress'
        THEN iif(c.id IS NULL AND NOT EXISTS (SELECT 1 FROM refusedSigners WHERE id = r.ownerId), NULL, r.statusSince)
      WHEN r.status = 'WAITING_SIGNATURE' AND c.status = 'PENDING' AND c.signerId IS NOT NULL
        THEN iif(c.signerEmail IS NOT NULL AND lower(c.signerEmail) <> lower(u.username), r.statusSince, c.expiredAt)
      WHEN r.status = 'WAITING_SIGNATURE' THEN r.statusSince
      WHEN r.status = 'WAITING_PAYMENT' AND (p.status = 'open' OR p.generation >= c.paymentGeneration)
        THEN strftime('%Y-%m-%dT%H:%M:%fZ', p.pendingSince, '+14 days')
      WHEN r.status = 'WAITING_PAYMENT' THEN r.statusSince
    END AS dueAt
  FROM requests r
    JOIN users u ON u.id = r.ownerId
    LEFT JOIN contracts c ON c.id = (SELECT max(id) FROM contracts WHERE requestId = r.id)
    LEFT JOIN payments p ON p.id = (
      SELECT id FROM payments WHERE contractId = c.id
        ORDER BY status = 'open' DESC, status = 'open' AND pendingSince IS NOT NULL DESC,
          iif(status = 'open', expiresAt, NULL) DESC, generation DESC
        LIMIT 1);

CREATE TRIGGER dueWithNewRequest AFTER INSERT ON requests BEGIN ${due('id = NEW.id')}
END;
CREATE TRIGGER dueWithName AFTER UPDATE OF username, firstName, lastName, role, erasedAt ON users
BEGIN ${due('ownerId = NEW.id')}
END;
${due('ownerId IN (SELECT id FROM refusedSigners)')}
`;
