/** /api/users (spec 4.2; decisions 6): everybody's own profile, and all users for administrators. */
import { Hono, type Context as HonoContext } from 'hono';
import { z } from 'zod';
import type { Keep } from '../../core/idempotency.js';
import { parseInput } from '../../core/input.js';
import { changeMyself, changeUser, type OwnChange } from '../../core/users/change-user.js';
import { createUser } from '../../core/users/create-user.js';
import { NEW_PASSWORD } from '../../core/users/passwords.js';
import { actorOf, mustBeAdmin, rolesOf, type UserRow } from '../../core/users/rights.js';
import { PROFILE_FIELDS, ROLE_LIST, roleOf, ROLES, USERNAME } from '../../core/users/user-fields.js';
import { getUserOf, listAllUsers } from '../../core/users/users.js';
import { JSON_TYPES, PATCH_TYPES, readJsonObject } from '../body.js';
import { addressOf } from '../client-address.js';
import { once, sendCreatedOnce } from '../create-once.js';
import { ID, TIME } from '../docs/fields.js';
import { documented } from '../docs/notes.js';
import { created, listed, shown, type Resource } from '../docs/operation.js';
import { item, shownTime } from '../hydra.js';
import { conditional, ifMatch } from '../if-match.js';
import { idParam, iriOf } from '../iri.js';
import { authenticated, consumes, negotiated, patchable } from '../middleware.js';
import type { Env, Parts } from '../parts.js';
import { queryOf } from '../query.js';
import { sendItem, sendJson } from '../respond.js';
import { USERS } from './collections.js';
import { throttled } from './login.js';

const PATH = USERS.path;
const ME = `${PATH}/me` as const;
const ITEM = `${PATH}/:id{[0-9]+}` as const;

const ENABLED = z.boolean('This value should be of type boolean.');

const USER: Resource = {
  type: 'User',
  path: PATH,
  about: 'Somebody who can log in: a customer, or an administrator.',
  fields: z.object({
    id: ID,
    username: USERNAME,
    firstName: z.string().meta({ examples: ['Anna'] }),
    lastName: z.string().meta({ examples: ['Weber'] }),
    phone: z
      .string()
      .optional()
      .meta({ examples: ['+33612345678'] }),
    roles: z.array(z.enum(ROLES)),
    enabled: z.boolean().describe('False: it cannot log in'),
    createdAt: TIME,
  }),
};

const Profile = z.object(PROFILE_FIELDS).partial();
const OwnPatch = Profile.extend({
  password: NEW_PASSWORD.optional(),
  currentPassword: z
    .string('This value should be of type string.')
    .optional()
    .describe('Needed to change one’s own password'),
});
const UserPatch = OwnPatch.extend({
  roles: ROLE_LIST.optional(),
  enabled: ENABLED.optional(),
});
const NewUser = Profile.extend({
  username: USERNAME,
  password: NEW_PASSWORD,
  roles: ROLE_LIST.optional(),
});

const READ_ME = documented({ title: 'Shows the user who asks', returns: shown(USER) });
const CHANGE_ME = documented({
  title: 'Changes the user who asks',
  about: 'A new `password` needs the `currentPassword`, and ends every token of the user.',
  takes: OwnPatch,
  returns: shown(USER),
  refuses: [429],
});
const LIST = documented({ title: 'Lists users', isForAdministrators: true, returns: listed(USER, USERS) });
const CREATE = documented({
  title: 'Adds a user',
  isForAdministrators: true,
  takes: NewUser,
  returns: created(USER),
});
const READ = documented({
  title: 'Shows a user',
  about: 'Itself, or as an administrator.',
  returns: shown(USER),
});
const CHANGE = documented({
  title: 'Changes a user',
  about:
    'Closing the account and a new password end every token of the user. One administrator always stays.',
  isForAdministrators: true,
  takes: UserPatch,
  returns: shown(USER),
});

export function userRoutes(parts: Parts) {
  const { ctx } = parts;
  const { baseUrl } = ctx.config;
  const member = authenticated(parts);
  return new Hono<Env>()
    .use(ME, patchable())
    .use(ITEM, patchable())
    .get(ME, READ_ME, member, negotiated(), (c) => sendItem(c, userItem(c.get('user'))))
    .patch(ME, CHANGE_ME, member, consumes(PATCH_TYPES), negotiated(), conditional(), async (c) => {
      const change = parseInput(OwnPatch, await readJsonObject(c, PATCH_TYPES));
      return sendItem(c, userItem(await changeCaller(c, parts, change)));
    })
    .get(PATH, LIST, member, negotiated(), (c) => {
      const asked = USERS.ask(queryOf(c), baseUrl);
      return sendJson(c, USERS.answer(asked, listAllUsers(ctx, c.get('user'), asked), userItem));
    })
    .post(PATH, CREATE, member, consumes(JSON_TYPES), negotiated(), once(), async (c) => {
      const by = c.get('user');
      mustBeAdmin(by);
      const body = await readJsonObject(c);
      const { roles = [], firstName, lastName, ...rest } = parseInput(NewUser, body);
      const names = { firstName: firstName ?? '', lastName: lastName ?? '' };
      const user = { ...rest, ...names, role: roleOf(roles) };
      const make = (keep: Keep<UserRow>) => createUser(ctx, user, actorOf(by), { keep });
      return sendCreatedOnce(c, parts, { body, toItem: userItem, make });
    })
    .get(ITEM, READ, member, negotiated(), (c) => sendItem(c, userItem(targetOf(c, parts))))
    .patch(ITEM, CHANGE, member, consumes(PATCH_TYPES), negotiated(), conditional(), async (c) => {
      const { id } = targetOf(c, parts);
      mustBeAdmin(c.get('user'));
      const { roles, currentPassword, ...rest } = parseInput(UserPatch, await readJsonObject(c, PATCH_TYPES));
      const change = { ...rest, ...(roles && { role: roleOf(roles) }) };
      const isCaller = id === c.get('user').id;
      const changed = isCaller
        ? await changeCaller(c, parts, { ...change, currentPassword })
        : await changeUser(ctx, c.get('user'), id, change, ifMatch(c, userItem));
      return sendItem(c, userItem(changed));
    });
}

async function changeCaller(
  c: HonoContext<Env>,
  parts: Parts,
  change: Omit<OwnChange, 'address'>,
): Promise<UserRow> {
  const own = { ...change, address: addressOf(c, parts) };
  const outcome = await changeMyself(parts.ctx, parts.logins, c.get('user'), own, ifMatch(c, userItem));
  if (outcome.type === 'throttled') throw throttled(outcome.waitMs);
  return outcome.user;
}

function targetOf(c: HonoContext<Env>, { ctx }: Parts): UserRow {
  return getUserOf(ctx, c.get('user'), idParam(c));
}

function userItem(user: UserRow) {
  return item('User', iriOf('users', user.id), {
    id: user.id,
    username: user.username,
    firstName: user.firstName,
    lastName: user.lastName,
    phone: user.phone,
    roles: rolesOf(user),
    enabled: user.enabled === 1,
    createdAt: shownTime(user.createdAt),
  });
}
