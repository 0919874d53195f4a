/** How many jobs have failed, by what failed and why: after a long outage nobody counts them one by one. */
export const sql = `
UPDATE jobs SET lastError = NULL WHERE lastError = '';

CREATE TABLE failedErrors (
  kind TEXT NOT NULL,
  error TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (kind, error)
) STRICT, WITHOUT ROWID;
INSERT INTO failedErrors (kind, error, count)
  SELECT kind, ifnull(lastError, ''), count(*) FROM jobs WHERE state = 'failed' GROUP BY kind, lastError;

CREATE TRIGGER failedErrorOfNewJob AFTER INSERT ON jobs WHEN NEW.state = 'failed'
BEGIN
  INSERT INTO failedErrors (kind, error, count) VALUES (NEW.kind, ifnull(NEW.lastError, ''), 1)
    ON CONFLICT (kind, error) DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER failedErrorOfChangedJob AFTER UPDATE OF state, lastError ON jobs WHEN OLD.state = 'failed' OR NEW.state = 'failed'
BEGIN
  UPDATE failedErrors SET count = count - 1
    WHERE OLD.state = 'failed' AND kind = OLD.kind AND error = ifnull(OLD.lastError, '');
  INSERT INTO failedErrors (kind, error, count) SELECT NEW.kind, ifnull(NEW.lastError, ''), 1 WHERE NEW.state = 'failed'
    ON CONFLICT (kind, error) DO UPDATE SET count = count + 1;
  DELETE FROM failedErrors WHERE kind = OLD.kind AND error = ifnull(OLD.lastError, '') AND count = 0;
END;
CREATE TRIGGER failedErrorOfRemovedJob AFTER DELETE ON jobs WHEN OLD.state = 'failed'
BEGIN
  UPDATE failedErrors SET count = count - 1 WHERE kind = OLD.kind AND error = ifnull(OLD.lastError, '');
  DELETE FROM failedErrors WHERE kind = OLD.kind AND error = ifnull(OLD.lastError, '') AND count = 0;
END;
`;
