# Completion of esignctl for bash:  source <(esignctl completion bash)
_esignctl() {
  local cur=${COMP_WORDS[COMP_CWORD]} line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == ':files' ]]; then
      compopt -o default 2>/dev/null
      return
    fi
    line=${line%%$'\t'*}
    # bash has cut the word at the equals sign.
    [[ $line == --*=* && $cur != --* ]] && line=${line#*=}
    # Bash would run what stands in a name.
    [[ $line == *[!a-zA-Z0-9_@%+,./:=-]* ]] && printf -v line %q "$line"
    COMPREPLY+=("$line")
  done < <("${COMP_WORDS[0]}" __complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _esignctl esignctl
