/** An esign.env to start from: every setting with its meaning, commented out unless it must be set or is `fixed` here. */
import { SETTINGS, type Setting } from '../../src/core/settings/settings.js';

const HEAD = `# Settings of esignd and esignctl. What the environment says goes before this file.
# A secret may be read from a file instead: NAME_FILE=/path/of/the/file
# After a change: systemctl reload esignd for secrets and ESIGN_LOG_LEVEL, systemctl restart esignd for the rest.
`;

export function settingsTemplate(fixed: Partial<Record<keyof typeof SETTINGS, string>> = {}): string {
  const values: Record<string, string> = fixed;
  return [HEAD, ...Object.entries<Setting>(SETTINGS).map(([name, it]) => entry(name, it, values[name]))].join(
    '\n',
  );
}

function entry(name: string, { about, fix, required, byDefault }: Setting, fixed?: string): string {
  const line = required || fixed ? `${name}=${fixed ?? ''}` : `#${name}=${shown(byDefault)}`;
  return `# ${capital(about)}. ${fix}${required ? ' Required.' : ''}\n${line}\n`;
}

/** Quoted where a shell, which may also read the file, would split it. */
function shown(value: unknown): string {
  if (value === undefined) return '';
  const text = `${typeof value === 'boolean' ? Number(value) : (value as string | number)}`;
  return /[\s*?]/.test(text) ? `"${text}"` : text;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
