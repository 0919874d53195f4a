/** The currencies of ISO 4217 that are in use, and how many decimals each has. */
const CURRENCIES = new Set(
  [
    'aed afn all amd aoa ars aud awg azn bam bbd bdt bhd bif bmd bnd bob brl bsd btn bwp byn bzd cad cdf chf clp cny cop',
    'crc cup cve czk djf dkk dop dzd egp ern etb eur fjd fkp gbp gel ghs gip gmd gnf gtq gyd hkd hnl htg huf idr ils inr',
    'iqd irr isk jmd jod jpy kes kgs khr kmf kpw krw kwd kyd kzt lak lbp lkr lrd lsl lyd mad mdl mga mkd mmk mnt mop mru',
    'mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sdg',
    'sek sgd shp sle sos srd ssp stn svc syp szl thb tjs tmt tnd top try ttd twd tzs uah ugx usd uyu uzs ved ves vnd vuv',
    'wst xaf xcd xcg xof xpf yer zar zmw zwg',
  ]
    .join(' ')
    .split(' '),
);

// The payment provider decides: it takes 100 for one króna, although that has no smaller unit.
const WITHOUT_DECIMALS = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));
const WITH_THREE_DECIMALS = new Set('bhd iqd jod kwd lyd omr tnd'.split(' '));

/** Takes a lower-case code. Funds, metals and former currencies do not count. */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}

/** Also for codes that older contracts may have. */
export function decimalsOf(code: string): 0 | 2 | 3 {
  if (WITHOUT_DECIMALS.has(code)) return 0;
  return WITH_THREE_DECIMALS.has(code) ? 3 : 2;
}

export interface Price {
  /** In minor units. */
  amount: number;
  currency: string;
}

/** The payment provider's least charge. In any other currency it is what converts to 0.50 usd on the day. */
const LEAST = new Map(
  Object.entries({
    aed: 200,
    aud: 50,
    bgn: 100,
    brl: 50,
    cad: 50,
    chf: 50,
    czk: 1_500,
    dkk: 250,
    eur: 50,
    gbp: 30,
    hkd: 400,
    huf: 17_500,
    inr: 50,
    jpy: 50,
    mxn: 1_000,
    myr: 200,
    nok: 300,
    nzd: 50,
    pln: 200,
    ron: 200,
    sek: 300,
    sgd: 50,
    thb: 1_000,
    usd: 50,
  }),
);

/** Written with two decimals, of which the payment provider takes none. */
const WHOLE = new Set(['isk', 'ugx']);

/** Its maximum: eight digits, whatever the currency. */
export const AMOUNT_MAX = 99_999_999;

/** Why the payment provider takes no such amount: less than the least charge, more than the maximum, or no multiple of the step. */
export type PriceFault = { fault: 'least' | 'most' | 'step'; amount: number };

/** Undefined: it can be paid, as far as can be known beforehand. */
export function priceFault({ amount, currency }: Price): PriceFault | undefined {
  const least = LEAST.get(currency) ?? 1;
  if (amount < least) return { fault: 'least', amount: least };
  if (amount > AMOUNT_MAX) return { fault: 'most', amount: AMOUNT_MAX };
  const step = WHOLE.has(currency) ? 100 : WITH_THREE_DECIMALS.has(currency) ? 10 : 1;
  return amount % step === 0 ? undefined : { fault: 'step', amount: step };
}
