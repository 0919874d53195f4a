/** Countries whose phone numbers are read as they are dialled there: the code from abroad, and the digit that is dropped then. */
export const COUNTRIES = {
  AT: { code: '43', trunk: '0' },
  BE: { code: '32', trunk: '0' },
  CH: { code: '41', trunk: '0' },
  DE: { code: '49', trunk: '0' },
  DK: { code: '45', trunk: '' },
  ES: { code: '34', trunk: '' },
  FI: { code: '358', trunk: '0' },
  FR: { code: '33', trunk: '0' },
  GB: { code: '44', trunk: '0' },
  IE: { code: '353', trunk: '0' },
  IT: { code: '39', trunk: '' },
  LU: { code: '352', trunk: '' },
  MC: { code: '377', trunk: '' },
  NL: { code: '31', trunk: '0' },
  NO: { code: '47', trunk: '' },
  PT: { code: '351', trunk: '' },
  SE: { code: '46', trunk: '0' },
} as const;

export type Country = keyof typeof COUNTRIES;
