-- What a run's page shows of its shards. When a shard last reported is left out: it does so every few seconds, and each
-- number makes every kept page be rendered again.
CREATE TRIGGER "RemoteShard_insert_changes" AFTER INSERT ON "RemoteShard" BEGIN UPDATE "Change" SET "number" = "number" + 1 WHERE "area" = 'run'; END;
CREATE TRIGGER "RemoteShard_update_changes" AFTER UPDATE OF "state", "tries", "host", "sealed", "reason" ON "RemoteShard" WHEN OLD."state" <> NEW."state" OR OLD."tries" <> NEW."tries" OR OLD."host" IS NOT NEW."host" OR OLD."sealed" <> NEW."sealed" OR OLD."reason" IS NOT NEW."reason" BEGIN UPDATE "Change" SET "number" = "number" + 1 WHERE "area" = 'run'; END;
CREATE TRIGGER "RemoteRun_update_changes" AFTER UPDATE OF "engineUrl" ON "RemoteRun" WHEN OLD."engineUrl" IS NOT NEW."engineUrl" BEGIN UPDATE "Change" SET "number" = "number" + 1 WHERE "area" = 'run'; END;
