/** What the signature provider accepts. Known members without effect here are let through. */
import { z } from 'zod';
import { dayIn, isZone } from './last-day.js';

/** The provider's own pattern for first and last names, letter for letter. */
const NAME =
  /^(?!\s)[0-9A-Za-zĄÀÁÂÃÄÅÇĆÈÉÊËĘÌÍÎÏŁÑŃÒÓÔÕÖŚÙÚÛÜÝŹŻąàáâãäåæçćèéêëęìíîïłñńòóôõöśùúûüýÿźżßĀāĂăĈĉĊċČčĎďĐđĒēĔĕĖėĚěĜĝĞğĠġĢģĤĥĦħĨĩĪīĬĭĮįİıĲĳĴĵĶķĸĹĺĻļĽľĿŀŅņŇňŉŊŋŌōŎŏŐőŒœŔŕŖŗŘřŜŝŞşŠšŢţŤťŦŧŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŽžſøØÆȘșȚț`'() -]+(?<!\s)$/;

const personName = z.string().min(1).max(255).regex(NAME, 'This value is not valid.');

/** E-mail addresses, web addresses and tags. The provider publishes no exact rule, so this one is strict. */
const UNSAFE = /\S@\S|:\/\/|\bwww\.|\p{L}\.\p{L}{2}|<[\p{L}/!?]/iu;

const safeString = (lengthMax: number) =>
  z
    .string()
    .min(1)
    .max(lengthMax)
    .refine((words) => words.trim() === words && !UNSAFE.test(words), 'This value is not a safe string.');

const day = z.iso.date('This value is not a valid date (yyyy-mm-dd).');

/** `now` in milliseconds: a day that has passed everywhere, or is more than a year away, is refused. */
export function expirationDate(now: number) {
  const today = dayIn('Etc/GMT+12', now);
  const lastDay = dayIn('Etc/GMT-14', now + 366 * 86_400_000);
  return day
    .refine((date) => date >= today, 'This date must not lie in the past.')
    .refine((date) => date <= lastDay, 'This date must not lie more than one year ahead.');
}

export function createSchema(now: number) {
  return z.object({
    name: safeString(128),
    delivery_mode: z.enum(['email', 'none']),
    ordered_signers: z.boolean().default(false),
    timezone: z.string().refine(isZone, 'This value is not a valid timezone.').default('Europe/Paris'),
    email_custom_note: z.string().max(500).nullish(),
    expiration_date: expirationDate(now).nullish(),
    external_id: z
      .string()
      .max(255)
      .regex(/^[\w\-@.%+]+$/, 'This value contains characters that are not allowed.')
      .nullish(),
    signers_allowed_to_decline: z.boolean().default(false),
    audit_trail_locale: z.enum(['en', 'fr', 'de', 'es', 'it', 'pt']).nullish(),
    reminder_settings: z
      .object({
        interval_in_days: z.union([z.literal(1), z.literal(2), z.literal(7), z.literal(14)]),
        max_occurrences: z.int().min(1).max(10),
      })
      .nullish(),
  });
}

export function updateSchema(now: number) {
  return z.object({ name: safeString(128), expiration_date: expirationDate(now) }).partial();
}

const phoneNumber = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, 'This value is not a valid E.164 phone number.')
  .nullable();

export const signerInfo = z.object({
  first_name: personName,
  last_name: personName,
  email: z.email().max(100),
  locale: z.enum(['en', 'fr', 'de', 'it', 'nl', 'es', 'pl']),
  phone_number: phoneNumber.default(null),
});

const authenticationMode = z.enum(['otp_email', 'otp_sms', 'no_otp']);

const signerField = z.object({
  document_id: z.string(),
  type: z.string(),
  page: z.int().min(1),
  x: z.int().min(0),
  y: z.int().min(0),
  width: z.int().min(85).max(2000).default(85),
  height: z.int().min(37).max(1000).default(37),
});

export const signerSchema = z
  .object({
    info: signerInfo,
    signature_level: z.enum([
      'electronic_signature',
      'advanced_electronic_signature',
      'qualified_electronic_signature',
    ]),
    signature_authentication_mode: authenticationMode.default('otp_email'),
    fields: z.array(signerField).default([]),
  })
  .refine(({ info, signature_authentication_mode: mode }) => mode !== 'otp_sms' || info.phone_number, {
    path: ['info', 'phone_number'],
    message: 'A phone number is required for otp_sms.',
  });

export const signerPatchSchema = z
  .object({
    info: signerInfo.extend({ phone_number: phoneNumber }).partial(),
    signature_authentication_mode: authenticationMode,
  })
  .partial();

export const cancelSchema = z.object({
  reason: z.enum(['contractualization_aborted', 'errors_in_document', 'other']),
  custom_note: safeString(500).nullish(),
});

export type SignerInfo = z.output<typeof signerInfo>;
export type SignerField = z.output<typeof signerField>;
