#compdef esignctl
# Completion of esignctl for zsh:  source <(esignctl completion zsh)
_esignctl() {
  local line
  local -a lines candidates
  lines=("${(@f)$("${words[1]}" __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ ${lines[1]} == ':files' ]]; then
    _files
    return
  fi
  for line in $lines; do
    candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done
  _describe -V esignctl candidates
}
# Loaded from a directory of completions this file is the function; else it only defines it.
if [[ $funcstack[1] == _esignctl ]]; then _esignctl "$@"; else compdef _esignctl esignctl; fi
