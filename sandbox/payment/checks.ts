/** What the payment provider demands of a new session. Errors name parameters as the client wrote them. */
import { PaymentProblem, unknownParameter } from './errors.js';
import { group, text, type FormMembers } from './form.js';

/** What the client decides, by the provider's names; the rest is the provider's. */
export type NewSession = ReturnType<typeof checkNewSession>;

const KNOWN = new Set(
  `after_expiration allow_promotion_codes automatic_tax billing_address_collection branding_settings cancel_url
  client_reference_id consent_collection currency custom_fields custom_text customer customer_creation customer_email
  discounts expand expires_at invoice_creation line_items locale metadata mode origin_context payment_intent_data
  payment_method_collection payment_method_configuration payment_method_data payment_method_options
  phone_number_collection redirect_on_completion return_url saved_payment_method_options
  shipping_address_collection shipping_options submit_type subscription_data success_url tax_id_collection
  ui_mode`.split(/\s+/),
);

const HALF_HOUR_S = 1800;
const DAY_S = 86_400;

/** The least charge of each currency; of others what it converts to on the day, which the sandbox does not know. */
const LEAST: Readonly<Record<string, number>> = {
  aed: 200,
  aud: 50,
  bgn: 100,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  inr: 50,
  jpy: 50,
  mxn: 1000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1000,
  usd: 50,
};

/** Amounts with three decimals end in 0; without decimals, but written with two, in 00. */
const STEPS: Readonly<Record<string, number>> = {
  bhd: 10,
  jod: 10,
  kwd: 10,
  omr: 10,
  tnd: 10,
  isk: 100,
  ugx: 100,
};

/** Throws the first error, as the provider does. */
export function checkNewSession(form: FormMembers, nowSeconds: number) {
  const unknown = Object.keys(form).find((name) => !KNOWN.has(name));
  if (unknown !== undefined) throw unknownParameter(unknown);
  const mode = text(form['mode']);
  if (mode === undefined) throw missing('mode');
  if (mode !== 'payment') throw invalid('mode', 'the sandbox only simulates payment');
  return {
    ...checkItems(form),
    expires_at: checkExpiry(text(form['expires_at']), nowSeconds),
    success_url: checkUrl(form, 'success_url'),
    cancel_url: checkUrl(form, 'cancel_url'),
    customer_email: text(form['customer_email']) ?? null,
    client_reference_id: checkLength(form, 'client_reference_id', 200),
    metadata: checkMetadata(form),
  };
}

function checkItems(form: FormMembers) {
  const items = Object.values(group(form['line_items'])).map(group);
  if (items.length === 0) throw missing('line_items');
  if (items.length > 100) throw invalid('line_items', 'at most 100 items');
  const checked = items.map(checkItem);
  const [first] = checked;
  if (checked.some(({ currency }) => currency !== first?.currency))
    throw invalid('currency', 'one currency only');
  const amount = checked.reduce((sum, { amount: one }) => sum + one, 0);
  const currency = first?.currency ?? '';
  const least = LEAST[currency] ?? 1;
  if (amount < least) {
    const message = `The Checkout Session's total amount due must add up to at least ${least} ${currency}`;
    throw new PaymentProblem(400, message, { code: 'amount_too_small' });
  }
  return { amount, currency, description: checked.map(({ name }) => name).join(', ') };
}

function checkItem(item: FormMembers, index: number): { amount: number; currency: string; name: string } {
  const at = `line_items[${index}]`;
  if (item['price'] !== undefined)
    throw invalid(`${at}[price]`, 'the sandbox knows no prices, send price_data');
  const price = group(item['price_data']);
  const currency = text(price['currency']);
  if (currency === undefined) throw missing(`${at}[price_data][currency]`);
  if (!/^[a-z]{3}$/.test(currency)) throw invalid(`${at}[price_data][currency]`, 'three lower-case letters');
  const name = text(group(price['product_data'])['name']);
  if (!name) throw missing(`${at}[price_data][product_data][name]`);
  const param = `${at}[price_data][unit_amount]`;
  const unit = wholeNumber(text(price['unit_amount']), param);
  const step = STEPS[currency] ?? 1;
  if (unit % step !== 0) throw invalid(param, `in ${currency} the amount must be a multiple of ${step}`);
  return { amount: unit * wholeNumber(text(item['quantity']), `${at}[quantity]`), currency, name };
}

function wholeNumber(value: string | undefined, param: string): number {
  if (value === undefined) throw missing(param);
  if (!/^\d{1,8}$/.test(value))
    throw new PaymentProblem(400, `Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param });
  return Number(value);
}

function checkExpiry(value: string | undefined, nowSeconds: number): number {
  if (value === undefined) return nowSeconds + DAY_S;
  const at = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  // A minute of grace: the client's clock is not ours.
  if (at >= nowSeconds + HALF_HOUR_S - 60 && at <= nowSeconds + DAY_S + 60) return at;
  throw invalid('expires_at', 'the time must be from 30 minutes to 24 hours ahead');
}

function checkUrl(form: FormMembers, name: string): string | null {
  const url = text(form[name]);
  if (url === undefined) return null;
  // The provider fills {CHECKOUT_SESSION_ID} in later.
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw invalid(name, 'not a valid URL');
  return url;
}

function checkLength(form: FormMembers, name: string, most: number): string | null {
  const value = text(form[name]) ?? null;
  if (value !== null && value.length > most) throw invalid(name, `at most ${most} characters`);
  return value;
}

function checkMetadata(form: FormMembers): Record<string, string> {
  const entries = Object.entries(group(form['metadata']));
  if (entries.length > 50) throw invalid('metadata', 'at most 50 keys');
  return Object.fromEntries(entries.map(([key, value]) => [key, text(value) ?? '']));
}

function missing(param: string): PaymentProblem {
  return new PaymentProblem(400, `Missing required param: ${param}.`, { code: 'parameter_missing', param });
}

function invalid(param: string, why: string): PaymentProblem {
  return new PaymentProblem(400, `Invalid ${param}: ${why}.`, { param });
}
