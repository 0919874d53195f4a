/** Faults of the API and of log-ins. */
import { fault, type PlantedFault } from '../fault.js';

export const API_FAULTS: readonly PlantedFault[] = [
  {
    name: 'an Idempotency-Key is forgotten',
    edits: [
      { file: 'core/calls/idempotency.js', find: 'if (earlier)\n', put: 'if (!earlier && earlier)\n' },
      {
        file: 'core/calls/idempotency.js',
        find: 'if (!insertIdempotencyKey(db, row, iso(now)))\n            throw inProgress();',
        put: 'insertIdempotencyKey(db, row, iso(now));',
      },
    ],
    world: { requests: 18, often: 'network' },
  },
  {
    name: 'a change counts as made before it is on disk',
    edits: [
      {
        file: 'db/writer.js',
        find: 'if (raw.inTransaction)\n                this.#steps.commit.run();\n            return outcomes;',
        put: 'if (raw.inTransaction)\n                setImmediate(() => raw.open && raw.inTransaction && this.#steps.commit.run());\n            return outcomes;',
      },
      {
        file: 'db/writer.js',
        find: 'this.#steps.begin.run();',
        put: 'if (!this.#db.raw.inTransaction) this.#steps.begin.run();',
      },
      {
        file: 'db/db.js',
        find: 'this.raw.close();',
        put: "if (this.raw.inTransaction) this.raw.exec('COMMIT');\n        this.raw.close();",
      },
    ],
  },
  fault('a status that the office sets is kept only for a request with a contract', {
    file: 'core/requests/change-request.js',
    find: 'moveByHand(tx, before.request, wanted.status);',
    put: 'if (before.contract) moveByHand(tx, before.request, wanted.status);',
  }),
  fault('a command corrects an address only together with a name', {
    file: 'core/users/correct-user.js',
    find: 'applyChange(tx, requireUser(tx.db, { id }), wanted);',
    put: 'if (wanted.firstName !== undefined) applyChange(tx, requireUser(tx.db, { id }), wanted);',
  }),
  fault('a form of the back office is answered as a success, and does nothing', {
    file: 'server/admin/acts/request.js',
    find: 'act.run(call.ctx, getRequest(call.ctx, call.id), askedInForm(call, act))',
    put: "Promise.resolve('done')",
  }),
  fault('the refresh token of a log-in is not kept', {
    file: 'core/users/refresh-token.js',
    find: 'insertRefreshToken(db, {',
    put: 'if (userId < 0) insertRefreshToken(db, {',
  }),
  fault('the session of a log-in to the back office is not kept', {
    file: 'core/users/sessions.js',
    find: 'insertSession(db, {',
    put: 'if (user.id < 0) insertSession(db, {',
  }),
  fault('a stolen refresh token does not end its family', {
    file: 'core/users/refresh-token.js',
    find: 'revokeFamily(db, { family: row.family, now: iso(now) });\n            ctx.log.warn',
    put: 'ctx.log.warn',
  }),
  fault('a refresh token is good for ever', {
    file: 'core/users/refresh-token.js',
    find: 'if (row.usedAt && !isJustUsed(',
    put: 'if (row.usedAt && !row && !isJustUsed(',
  }),
  fault('whose a request is is not asked', {
    file: 'core/users/rights.js',
    find: 'if (!row || !maySee(user, row.ownerId))',
    put: 'if (!row)',
  }),
];
