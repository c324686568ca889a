# Derives the rate of each entry of a board from its episodes, and compares it with the board's own.
#
# Rscript derive_row.R http://localhost:3000 typescript

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 2) {
  message("usage: Rscript derive_row.R <address of the board> <suite>")
  quit(status = 1)
}
api <- paste0(sub("/$", "", arguments[1]), "/api/v1")
scored <- c("solved", "unsolved", "out-of-budget", "subject-crashed", "tampered")

read <- function(address) {
  read.csv(url(address), stringsAsFactors = FALSE, fileEncoding = "UTF-8-BOM")
}

# The mean over tasks of the share of solved episodes.
derive <- function(episodes) {
  counted <- episodes[episodes$outcome %in% scored, ]
  shares <- tapply(counted$outcome == "solved", counted$task, mean)
  list(rate = mean(shares), tasks = length(shares), episodes = nrow(counted))
}

differs <- FALSE
rows <- read(paste0(api, "/leaderboard/export?suite=", arguments[2]))
for (at in seq_len(nrow(rows))) {
  row <- rows[at, ]
  found <- derive(read(paste0(api, "/rows/", row$row_id, "/export?format=csv")))
  agrees <- isTRUE(all.equal(as.numeric(row$success_rate), found$rate))
  differs <- differs || !agrees
  cat(row$subject, sprintf("%.1f %%", 100 * found$rate), found$tasks, "tasks", found$episodes, "episodes",
      if (agrees) "agrees" else "DIFFERS", "\n")
}
quit(status = if (differs) 1 else 0)
