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
