/// An example of docs/guide.
module org.example.workers {
    requires org.ibidem.core;

    opens org.example.workers to
            org.ibidem.serial; // which writes and reads its records
}
