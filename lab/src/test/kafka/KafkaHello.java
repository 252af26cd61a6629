import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/// An administrator, a producer and a consumer of Kafka: `KafkaHello HOST:PORT`. It makes a topic
/// of two partitions, writes records to it, and reads each of them once as a group of one.
public final class KafkaHello {
    private static final String TOPIC = "words";
    private static final int PARTITIONS = 2;
    private static final int RECORDS = 2_000;
    private static final int LIMIT = 90;

    private KafkaHello() {}

    /// Asks.
    ///
    /// @param args where the broker is
    public static void main(String[] args) throws Exception {
        var common = Map.<String, Object>of("bootstrap.servers", args[0]);
        try (var admin = Admin.create(with(common, "default.api.timeout.ms", LIMIT * 1000))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1)))
                    .all()
                    .get(LIMIT, TimeUnit.SECONDS);
        }
        System.out.println("made");
        produce(common);
        consume(with(with(common, "group.id", "readers"), "auto.offset.reset", "earliest"));
        System.out.println("checked");
    }

    private static Map<String, Object> with(Map<String, Object> some, String name, Object value) {
        var more = new HashMap<>(some);
        more.put(name, value);
        return more;
    }

    private static void produce(Map<String, Object> configuration) throws Exception {
        var words = new StringSerializer();
        try (var producer = new KafkaProducer<>(configuration, words, words)) {
            for (int i = 0; i < RECORDS; i++) {
                producer.send(new ProducerRecord<>(TOPIC, "key " + i, "value " + i));
            }
        }
    }

    private static void consume(Map<String, Object> configuration) {
        var words = new StringDeserializer();
        var seen = new HashMap<String, String>();
        var partitions = new HashMap<Integer, Integer>();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT);
        try (var consumer = new KafkaConsumer<>(configuration, words, words)) {
            consumer.subscribe(List.of(TOPIC));
            while (seen.size() < RECORDS) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException("only " + seen.size() + " records came");
                }
                for (var each : consumer.poll(Duration.ofSeconds(1))) {
                    if (seen.put(each.key(), each.value()) != null) {
                        throw new IllegalStateException(each.key() + " came twice");
                    }
                    partitions.merge(each.partition(), 1, Integer::sum);
                }
            }
        }
        for (int i = 0; i < RECORDS; i++) {
            if (!("value " + i).equals(seen.get("key " + i))) {
                throw new IllegalStateException("key " + i + " has " + seen.get("key " + i));
            }
        }
        if (partitions.size() != PARTITIONS) {
            throw new IllegalStateException("they came from the partitions " + partitions);
        }
    }
}
