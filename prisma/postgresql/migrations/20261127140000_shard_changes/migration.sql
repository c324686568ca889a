-- What a run's page shows of its shards. When a shard last reported is left out: it does so every few seconds, and each
-- number makes every kept page be rendered again.
CREATE TRIGGER "RemoteShard_insert_changes" AFTER INSERT ON "RemoteShard" FOR EACH STATEMENT EXECUTE FUNCTION "count_change"('run');
CREATE TRIGGER "RemoteShard_update_changes" AFTER UPDATE OF "state", "tries", "host", "sealed", "reason" ON "RemoteShard" FOR EACH ROW WHEN ((OLD."state", OLD."tries", OLD."host", OLD."sealed", OLD."reason") IS DISTINCT FROM (NEW."state", NEW."tries", NEW."host", NEW."sealed", NEW."reason")) EXECUTE FUNCTION "count_change"('run');
CREATE TRIGGER "RemoteRun_update_changes" AFTER UPDATE OF "engineUrl" ON "RemoteRun" FOR EACH ROW WHEN (OLD."engineUrl" IS DISTINCT FROM NEW."engineUrl") EXECUTE FUNCTION "count_change"('run');
