/** The scripts that a shell runs on Tab: they pass the words to esignctl and show its answer. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof SHELLS)[number];

/** The hidden command that answers them. */
export const COMPLETE = '__complete';

/** The first line of an answer that asks for file names. */
export const FILES = ':files';

export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# Completion of esignctl for bash:  source <(esignctl completion bash)
_esignctl() {
  local cur=\${COMP_WORDS[COMP_CWORD]} line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == '${FILES}' ]]; then
      compopt -o default 2>/dev/null
      return
    fi
    line=\${line%%$'\\t'*}
    # bash has cut the word at the equals sign.
    [[ $line == --*=* && $cur != --* ]] && line=\${line#*=}
    # Bash would run what stands in a name.
    [[ $line == *[!a-zA-Z0-9_@%+,./:=-]* ]] && printf -v line %q "$line"
    COMPREPLY+=("$line")
  done < <("\${COMP_WORDS[0]}" ${COMPLETE} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _esignctl esignctl
`,
  zsh: `#compdef esignctl
# Completion of esignctl for zsh:  source <(esignctl completion zsh)
_esignctl() {
  local line
  local -a lines candidates
  lines=("\${(@f)$("\${words[1]}" ${COMPLETE} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ \${lines[1]} == '${FILES}' ]]; then
    _files
    return
  fi
  for line in $lines; do
    candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe -V esignctl candidates
}
# Loaded from a directory of completions this file is the function; else it only defines it.
if [[ $funcstack[1] == _esignctl ]]; then _esignctl "$@"; else compdef _esignctl esignctl; fi
`,
  fish: `# Completion of esignctl for fish:  esignctl completion fish | source
function __esignctl_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l lines ($words[1] ${COMPLETE} -- $words[2..-1] 2>/dev/null)
  if test "$lines[1]" = '${FILES}'
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $lines
  end
end
complete -c esignctl -f -a '(__esignctl_complete)'
`,
};
