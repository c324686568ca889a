# Moves one log out of the way: rotate_one FILE COUNT

rotate_one() {
  for old in $(ls $1.* | sort -r); do
    number=${old##*.}
    if [ $number -ge $2 ]; then
      rm $old
    else
      mv $old $1.$((number + 1))
    fi
  done
  mv $1 $1.1
  : > $1
}
