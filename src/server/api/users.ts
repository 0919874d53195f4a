/** /api/users (rules 6): everybody's own profile, and all users for administrators. */
import { Hono } from 'hono';
import { z } from 'zod';
import { parseInput } from '../../core/calls/input.js';
import type { Precondition } from '../../core/calls/owned.js';
import { USERS } from '../../core/resources/users.js';
import { changeMyself, type OwnChange, changeUser } from '../../core/users/change-user.js';
import { createUser } from '../../core/users/create-user.js';
import { NEW_PASSWORD } from '../../core/users/passwords.js';
import { actorOf, rolesOf, type UserRow } from '../../core/users/rights.js';
import { LOCALES, profileFields, ROLE_LIST, roleOf, ROLES, USERNAME } from '../../core/users/user-fields.js';
import { getUserOf } from '../../core/users/users.js';
import { PATCH_TYPES, readJsonObject } from '../http/body.js';
import { addressOf } from '../http/client-address.js';
import type { Config } from '../../core/settings/config.js';
import { ID, TIME } from './docs/fields.js';
import { documented, shown } from './docs/operation.js';
import { conditional, ifMatch, sendItem } from './respond.js';
import { authenticated, consumes, negotiated, patchable } from './middleware.js';
import type { Call, Env, Parts } from '../parts.js';
import { declareResource, resourceRoutes } from './resource.js';
import { throttled } from './login.js';

const ME = '/api/users/me';
const ENABLED = z.boolean('This value should be of type boolean.');

const USER = declareResource({
  type: 'User',
  name: 'users',
  about: 'Somebody who can log in: a customer, or an administrator.',
  fields: {
    id: ID,
    username: USERNAME,
    firstName: z.string().meta({ examples: ['Anna'] }),
    lastName: z.string().meta({ examples: ['Weber'] }),
    phone: z
      .string()
      .optional()
      .meta({ examples: ['+33612345678'] }),
    locale: z
      .enum(LOCALES)
      .optional()
      .describe('Language of mails, pages and contracts; missing: that of the service'),
    address: z.string().optional().describe('The postal address, in lines'),
    roles: z.array(z.enum(ROLES)),
    enabled: z.boolean().describe('False: it cannot log in'),
    createdAt: TIME,
  },
  shows: (user: UserRow) => ({ ...user, roles: rolesOf(user), enabled: user.enabled === 1 }),
  noun: USERS,
});

function takenBy({ country }: Config) {
  const Profile = z.object(profileFields(country)).partial();
  const OwnPatch = Profile.extend({
    password: NEW_PASSWORD.optional(),
    currentPassword: z
      .string('This value should be of type string.')
      .optional()
      .describe('Needed to change one’s own password or address'),
  });
  const UserPatch = OwnPatch.extend({
    username: USERNAME.optional(),
    roles: ROLE_LIST.optional(),
    enabled: ENABLED.optional(),
  });
  const NewUser = Profile.extend({
    username: USERNAME,
    password: NEW_PASSWORD.optional(),
    roles: ROLE_LIST.optional(),
  });
  return { OwnPatch, UserPatch, NewUser };
}

const READ_ME = documented({ title: 'Shows the user who asks', returns: shown(USER) });
const changeMe = (takes: z.ZodType) =>
  documented({
    title: 'Changes the user who asks',
    about: 'A new `password` needs the `currentPassword`, and ends every token of the user.',
    takes,
    returns: shown(USER),
    refuses: [429],
  });
export function userRoutes(parts: Parts) {
  const { OwnPatch, UserPatch, NewUser } = takenBy(parts.ctx.config);
  const member = authenticated(parts);
  const own = new Hono<Env>()
    .use(ME, patchable())
    .get(ME, READ_ME, member, negotiated(), (c) => sendItem(c, USER.item(c.get('user'))))
    .patch(ME, changeMe(OwnPatch), member, consumes(PATCH_TYPES), negotiated(), conditional(), async (c) => {
      const change = parseInput(OwnPatch, await readJsonObject(c, PATCH_TYPES));
      return sendItem(c, USER.item(await changeCaller(c, parts, change, ifMatch(c, USER.item))));
    });
  const everybody = resourceRoutes(parts, USER, {
    list: 'Lists users',
    create: {
      title: 'Adds a user',
      about: 'Without a `password` a mail with a link invites the user to set one.',
      isForAdministrators: true,
      takes: NewUser,
      run: (ctx, by, { roles = [], firstName, lastName, ...rest }, keep) => {
        const names = { firstName: firstName ?? '', lastName: lastName ?? '' };
        return createUser(ctx, { ...rest, ...names, role: roleOf(roles) }, actorOf(by), { keep });
      },
    },
    show: { title: 'Shows a user', about: 'Itself, or as an administrator.', run: getUserOf },
    change: {
      title: 'Changes a user',
      about:
        'Closing the account and a new password end every token of the user. One administrator always stays. One’s own password or address needs the `currentPassword`.',
      isForAdministrators: true,
      takes: UserPatch,
      run: async (ctx, by, id, { roles, currentPassword, ...rest }, precondition, c) => {
        const change = { ...rest, ...(roles && { role: roleOf(roles) }) };
        if (id === by.id) return changeCaller(c, parts, { ...change, currentPassword }, precondition);
        return changeUser(ctx, by, id, change, precondition);
      },
    },
  });
  return own.route('/', everybody);
}

async function changeCaller(
  c: Call,
  parts: Parts,
  change: Omit<OwnChange, 'from'>,
  precondition: Precondition<UserRow> | undefined,
): Promise<UserRow> {
  const own = { ...change, from: addressOf(c, parts) };
  const outcome = await changeMyself(parts.ctx, parts.logins, c.get('user'), own, precondition);
  if (outcome.type === 'throttled') throw throttled(outcome.waitMs);
  return outcome.user;
}
