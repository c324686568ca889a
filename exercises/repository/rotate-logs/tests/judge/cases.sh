run() { sh "$rotate" "$@"; }
is() { [ "$(cat "$1")" = "$2" ]; }

case_plain_logs_shift() {
  echo new > a.log; echo one > a.log.1; echo two > a.log.2
  run a.log
  is a.log ''; is a.log.1 new; is a.log.2 one; is a.log.3 two
}

case_three_are_kept() {
  echo 0 > a; echo 1 > a.1; echo 2 > a.2; echo 3 > a.3
  run a
  is a.3 2; [ ! -e a.4 ]
}

case_two_digits_shift_in_order() {
  echo 0 > a
  for n in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "$n" > "a.$n"; done
  run -k 12 a
  for n in 2 3 4 5 6 7 8 9 10 11 12; do is "a.$n" "$((n - 1))"; done
  is a.1 0; [ ! -e a.13 ]
}

case_names_with_spaces_and_stars() {
  echo x > 'my app.log'; echo y > '*.log'; echo z > "it's"; echo other > b.log
  run 'my app.log' '*.log' "it's"
  is 'my app.log.1' x; is '*.log.1' y; is "it's.1" z; is b.log other; [ ! -e b.log.1 ]
}

case_names_that_look_like_options() {
  echo x > ./-k
  run -- -k
  is ./-k.1 x; is ./-k ''
}

case_missing_logs_are_reported_and_skipped() {
  echo a > a; echo b > b
  code=0; run a 'not here' b 2> said || code=$?
  [ "$code" -eq 1 ]
  is said 'rotate: not here: no such file'
  is a.1 a; is b.1 b
}

case_none_is_kept() {
  echo 0 > a; echo 1 > a.1; echo 2 > a.2
  run -k 0 a
  is a ''; [ ! -e a.1 ]; [ ! -e a.2 ]
}

case_counts_that_are_none_are_usage_errors() {
  for bad in x -1 1x '' 1.5; do
    echo 0 > a
    code=0; run -k "$bad" a 2> said || code=$?
    [ "$code" -eq 2 ]
    case $(cat said) in usage:*) ;; *) return 1 ;; esac
    is a 0; [ ! -e a.1 ]
  done
}

case_empty_logs_stay() {
  : > a; echo 1 > a.1
  run a
  is a.1 1; [ ! -e a.2 ]
}

case_permissions_are_kept() {
  echo 0 > a; chmod 640 a
  (umask 022; run a)
  [ "$(ls -l a | cut -c1-10)" = '-rw-r-----' ]
}

case_old_logs_beyond_a_gap_are_removed() {
  echo 0 > a; echo 1 > a.1; echo 9 > a.9; echo 25 > a.25
  run -k 2 a
  is a.1 0; is a.2 1; [ ! -e a.9 ]; [ ! -e a.10 ]; [ ! -e a.25 ]; [ ! -e a.26 ]
}

case_other_files_are_left_alone() {
  echo 0 > a; echo old > a.old; echo gz > a.1.gz; echo b > ab.1
  run a
  is a.old old; is a.1.gz gz; is ab.1 b; is a.1 0
}
